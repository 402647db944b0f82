// The local emulator of AWS: runs the stacks of a project on one machine, from their templates. It serves the S3, SQS
// and DynamoDB APIs over HTTP and runs each function in its own processes.
import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { handleInvoke } from './aws/lambda.ts';
import { type CleanupStack, createCleanupStack } from './cleanup-stack.ts';
import { wallClock } from './clock.ts';
import { compileCache } from './content-cache.ts';
import { removeEmulatorFile, writeEmulatorFile, writeState } from './data-folder.ts';
import type { Emulator, EmulatorOptions, EmulatorStatus } from './emulator-options.ts';
import { sendJson } from './http/loopback.ts';
import type { FunctionDefinition } from './lambda/environment.ts';
import { createEnvironments, type Environments } from './lambda/environments.ts';
import { type Prepared, prepare, region } from './prepare.ts';
import { provision, provisionTables } from './provision.ts';
import { generateSecrets, secretValues } from './secret-values.ts';
import { createDynamoDbProxy, type ItemChange } from './stream/dynamodb-proxy.ts';
import { createFilter } from './stream/filter.ts';
import type { FunctionPlan } from './template/blueprint.ts';
import { type Invoke, patternsOf, startTriggers, streamMappings } from './triggers.ts';

/** How long a stop waits for invocations that run. */
const graceMs = 10_000;

/**
 * Starts everything and resolves when it is ready.
 * @throws DirectoryInUseError where another emulator runs on the folder; TemplateError where the template has something
 * that the emulator cannot run; the signal's reason where that ended the start. Everything that was started is stopped
 * then.
 */
export const startEmulator = async (options: EmulatorOptions): Promise<Emulator> => {
  const cleanup = createCleanupStack();
  try {
    return await start(options, cleanup);
  } catch (error) {
    const cause = options.signal?.aborted ? options.signal.reason : error;
    await cleanup.run().catch((left: unknown) => {
      throw new AggregateError([cause, left], `${String(cause)}; and not everything that had started could be stopped`);
    });
    throw cause;
  }
};

/** Passes the calls of DynamoDB on, and watches those that change what a mapping follows. */
const watchTables = (
  { blueprint, services, router }: Prepared,
  changed: (change: ItemChange) => void,
  cleanup: CleanupStack,
): void => {
  const mappings = streamMappings(blueprint);
  const followed = new Set(mappings.map(({ EventSourceArn }) => EventSourceArn));
  const filters = mappings.map((mapping) => createFilter(patternsOf(mapping)));
  const proxy = createDynamoDbProxy({
    endpoint: services.dynamodbUrl,
    changed,
    tables: blueprint.tables.filter(({ streamArn }) => followed.has(streamArn)),
    filter: (event) => filters.some((filter) => filter(event)),
  });
  cleanup.add(async () => proxy.close());
  router.route({ dynamodb: proxy.handle });
};

/** The functions' processes, which are named in every way that AWS and people name functions. */
const openFunctions = (
  { blueprint, bundles, log, services, otherService, calendar }: Prepared,
  { project, variables, capacity }: EmulatorOptions & { readonly capacity: number },
): { readonly environments: Environments; readonly names: ReadonlyMap<string, string> } => {
  const labels = labelFunctions(blueprint.functions);
  // Endpoints, region and credentials for AWS clients, and variables of the project.
  const everywhere = { ...services.environment, ...variables?.({ ...calendar.current(), file: calendar.file }) };
  // Values of variables, for functions whose template has a variable of that name.
  const known = Object.entries(otherService?.variables ?? {});
  // The ARNs of the functions for whose answer a person waits: those of HTTP APIs.
  const interactive = new Set(blueprint.httpApis.flatMap(({ routes }) => routes.map(({ functionArn }) => functionArn)));
  const functions = [...labels].map(
    ([plan, label]): FunctionDefinition => ({
      name: label,
      arn: plan.arn,
      bundle: bundles.get(plan.entry) ?? '',
      exported: plan.Handler.split('.').at(-1) ?? 'handler',
      timeoutMs: plan.Timeout * 1_000,
      memoryMb: plan.MemorySize,
      concurrency: plan.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY,
      isInteractive: interactive.has(plan.arn),
      variables: {
        ...plan.Environment.Variables,
        ...Object.fromEntries(known.filter(([name]) => name in plan.Environment.Variables)),
        ...everywhere,
        AWS_LAMBDA_FUNCTION_NAME: plan.name,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(plan.MemorySize),
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        TZ: 'UTC',
        // An environment that finds its bundle there starts in half the time.
        NODE_COMPILE_CACHE: compileCache(project.cacheDirectory),
      },
    }),
  );
  const names = [...labels].flatMap(([{ logicalId, name, arn }, label]) =>
    [logicalId, name, arn, label].map((one) => [one, label] as const),
  );
  return { environments: createEnvironments({ functions, capacity, log }), names: new Map(names) };
};

/** Writes what the next run on the folder needs, and what a command line needs to find this one. */
const keepState = async (
  prepared: Prepared,
  emulator: Pick<Emulator, 'endpoints' | 'outputs' | 'environment'>,
  secrets: Readonly<Record<string, string>>,
  cleanup: CleanupStack,
): Promise<void> => {
  const { folder, calendar, router, httpApis, otherService } = prepared;
  const tcpPorts = { aws: router.tcpPort, ...httpApis.tcpPorts, ...otherService?.tcpPorts };
  const save = (): Promise<void> => writeState(folder, { ...calendar.current(), tcpPorts, secrets });
  await save();
  prepared.restartHooks.calendar = () =>
    save().catch((error: unknown) => prepared.report(`state.json is out of date: ${String(error)}`));
  const { speed, origin: calendarOrigin } = calendar.current();
  await writeEmulatorFile(folder, { ...emulator, speed, calendarOrigin });
  cleanup.add(() => removeEmulatorFile(folder));
};

/** After a change, schedules run at once, and the next start continues from there. */
const controlCalendar = (
  { calendar, restartHooks }: Prepared,
  wakeSchedules: () => void,
): Emulator['runningCalendar'] => ({
  ...calendar,
  change: async (wanted) => {
    await calendar.change(wanted);
    wakeSchedules();
    await restartHooks.calendar();
  },
});

const start = async (options: EmulatorOptions, cleanup: CleanupStack): Promise<Emulator> => {
  const prepared = await prepare(options, cleanup);
  const { folder, log, report, calendar, router, services, httpApis, blueprint, otherService } = prepared;
  options.signal?.throwIfAborted();
  await provision(blueprint, services.clients);
  options.signal?.throwIfAborted();
  const secrets = generateSecrets(blueprint.secrets, prepared.earlier?.secrets ?? {});
  for (const [arn, text] of secretValues(blueprint, secrets, otherService?.secrets ?? {}))
    services.putSecret(arn, text);

  let changed = (_: ItemChange): void => undefined;
  watchTables(prepared, (change) => changed(change), cleanup);
  const capacity = options.capacity ?? 4 * Math.max(2, availableParallelism());
  const { environments, names } = openFunctions(prepared, { ...options, capacity });
  cleanup.add(environments.stop);
  const invoke: Invoke = (name, event, traceHeaders) =>
    environments.invoke(names.get(name) ?? name, event, traceHeaders);
  const status = (): EmulatorStatus => ({ functions: environments.status(), queues: depths(prepared) });
  router.route({
    lambda: handleInvoke({ invoke, knows: (name) => names.has(name) }),
    status: (_, response) => sendJson(response, 200, status()),
  });
  httpApis.serve(blueprint.httpApis, invoke, options.readClaims ?? (() => undefined));

  const endpoints = { ...services.endpoints, ...otherService?.endpoints };
  const outputs = { ...blueprint.outputs, ...otherService?.outputs };
  const { environment } = services;
  if (options.directory !== undefined) {
    await keepState(prepared, { endpoints, outputs, environment }, secrets, cleanup);
  }
  prepared.restartHooks.database = () => provisionTables(blueprint, services.clients);
  const triggers = startTriggers({
    blueprint,
    callQueue: services.queues.call,
    region,
    capacity,
    speed: () => calendar.current().speed,
    clock: wallClock,
    invoke,
    log,
    report,
    redeliverAfterMs: options.redeliverAfterMs,
  });
  changed = triggers.changed;
  cleanup.add(() => Promise.race([triggers.stop(), delay(graceMs, undefined, { ref: false })]));
  return {
    directory: folder,
    endpoints,
    outputs,
    environment,
    status,
    httpApiEndpoints: httpApis.endpoints,
    calendar: calendar.current(),
    runningCalendar: controlCalendar(prepared, triggers.wakeSchedules),
    invoke: (name, event) => invoke(name, event),
    killEnvironments: (signal = 'SIGKILL') => environments.kill(signal),
    advanceQueues: (milliseconds) => services.queues.advance(milliseconds),
    stop: cleanup.run,
  };
};

const depths = ({ blueprint, services }: Prepared): EmulatorStatus['queues'] =>
  Object.fromEntries(blueprint.queues.map(({ name }) => [name, services.queues.store.depth(name)] as const));

/** Short names for people, logs and files: the folder of the source file, or the full name where two share it. */
const labelFunctions = (plans: readonly FunctionPlan[]): ReadonlyMap<FunctionPlan, string> => {
  const short = (plan: FunctionPlan): string => basename(dirname(plan.entry));
  const isShared = (label: string): boolean => plans.filter((plan) => short(plan) === label).length > 1;
  return new Map(plans.map((plan) => [plan, isShared(short(plan)) ? plan.name : short(plan)]));
};
