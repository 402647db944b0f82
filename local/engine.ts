// The embedded engine: runs the stacks of a CDK app on one machine, from their templates, with the real S3, SQS and
// DynamoDB APIs on the wire, each function in processes of its own, and the porting service beside them.
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { wallClock } from '#shared/runtime/clock.ts';
import { startLambdaEndpoint } from './aws/lambda.ts';
import { type Endpoints, type Services, startServices } from './aws/services.ts';
import { type Calendar, continueCalendar } from './calendar.ts';
import {
  claimDirectory,
  type DirectoryState,
  readState,
  removeEngineFile,
  writeEngineFile,
  writeState,
} from './directory.ts';
import { fillSecrets } from './fill-secrets.ts';
import { defineFunction, labelFunctions, usesPortingService } from './function-definitions.ts';
import { endLeftovers } from './guarded-process.ts';
import { type HttpApis, openHttpApis } from './http-api.ts';
import { bundleFunctions } from './lambda/bundle.ts';
import type { Outcome } from './lambda/environment.ts';
import { createEnvironments, type FunctionStatus } from './lambda/environments.ts';
import { type Log, openLogFiles } from './logs.ts';
import { type PortingServiceAccess, startPortingService } from './porting-service.ts';
import { provision } from './provision.ts';
import { createFilter } from './stream/filter.ts';
import { type Change, startPassThrough } from './stream/pass-through.ts';
import { synthesise } from './synthesise.ts';
import { type Blueprint, mergeBlueprints, readBlueprint } from './template/blueprint.ts';
import { httpApiIds } from './template/http-api.ts';
import type { Template } from './template/template.ts';
import { openTemporaryFolder } from './temporary-folder.ts';
import { patternsOf, startTriggers, streamMappings } from './triggers.ts';
import { createUndo, type Undo } from './undo.ts';

export interface EngineOptions {
  /** Where everything is kept between runs. @default - a temporary folder that goes with the engine */
  readonly directory?: string | undefined;
  /** How much faster than wall time the calendar runs. @default - as in the last run on this folder, else 1 */
  readonly speed?: number | undefined;
  /** @default 'local' */
  readonly stage?: string | undefined;
  /** @default - the stacks of infra/app.ts */
  readonly templates?: readonly Template[] | undefined;
  /** Which porting service the functions talk to. @default 'embedded' */
  readonly service?: 'embedded' | PortingServiceAccess | undefined;
  /** Keeps messages, items and ports in memory. @default - true without a directory */
  readonly memory?: boolean | undefined;
  /** Rehearsal controls of the embedded porting service. @default false */
  readonly sandbox?: boolean | undefined;
  /** Takes every log line. @default - files in the folder `logs` */
  readonly log?: Log | undefined;
  /** The most invocations at one time. @default - two for each core */
  readonly capacity?: number | undefined;
  /** How long a batch stays hidden after its function threw or died. @default - the queue's visibility timeout */
  readonly redeliverAfterMs?: number | undefined;
  /** How long a stop waits for invocations that run. @default 10000 */
  readonly graceMs?: number | undefined;
  /** `AWS_ENDPOINT_URL_S3|SQS|DYNAMODB` in it replace the embedded services. @default process.env */
  readonly callerEnvironment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Ends a start that is under way; once the engine runs, only `stop` does. */
  readonly signal?: AbortSignal | undefined;
}

export interface EngineStatus {
  readonly functions: Readonly<Record<string, FunctionStatus>>;
  readonly queues: Readonly<
    Record<string, { readonly ready: number; readonly delayed: number; readonly inFlight: number }>
  >;
}

export interface Engine {
  readonly directory: string;
  readonly endpoints: Endpoints & { readonly lambda: string; readonly service?: string };
  /** CfnOutputs of all stacks. */
  readonly outputs: Readonly<Record<string, string>>;
  /** What an AWS client needs in its environment to work with the engine. */
  readonly environment: Readonly<Record<string, string>>;
  readonly calendar: Calendar;
  readonly service: PortingServiceAccess | undefined;
  /** Runs a function, named by its logical id, its name, its ARN or the folder of its entry (`sync`). */
  invoke(functionName: string, event: unknown): Promise<Outcome>;
  status(): EngineStatus;
  /** Kills the execution environments, as a crash of the machine under them would. */
  killEnvironments(signal?: NodeJS.Signals): void;
  stop(): Promise<void>;
}

const region = 'eu-west-2';
const accountId = '000000000000';
const idleMs = 120_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const compileCache = join(root, 'node_modules', '.cache', 'simporter');

/** Like Promise.all, but waits for all whatever fails, so that everything that was started is known and can be undone. */
const allSettled = async <Values extends readonly unknown[]>(values: readonly [...Values]) => {
  await Promise.allSettled(values);
  return Promise.all(values);
};

/** Claims the folder, or makes a temporary one. */
const openFolder = async (directory: string | undefined, undo: Undo): Promise<string> => {
  if (directory === undefined) {
    const temporary = await openTemporaryFolder();
    undo.add(temporary.remove);
    return temporary.path;
  }
  undo.add(await claimDirectory(directory));
  return directory;
};

const openLog = async (options: EngineOptions, folder: string, undo: Undo): Promise<Log> => {
  if (options.log !== undefined) return options.log;
  const files = openLogFiles(join(folder, 'logs'));
  undo.add(files.close);
  return files.log;
};

/**
 * Starts everything and resolves when it is ready.
 *
 * @throws DirectoryInUseError where another engine runs on the folder; TemplateError where the template holds what the
 * engine cannot run; the signal's reason where that ended it. Whatever had been started is stopped then.
 */
export const startEngine = async (options: EngineOptions = {}): Promise<Engine> => {
  const undo = createUndo();
  try {
    return await start(options, undo);
  } catch (error) {
    const cause = options.signal?.aborted ? options.signal.reason : error;
    await undo.run().catch((left: unknown) => {
      throw new AggregateError([cause, left], `${String(cause)}; and not everything that had started could be stopped`);
    });
    throw cause;
  }
};

interface Ground {
  readonly folder: string;
  readonly log: Log;
  readonly clock: () => number;
  readonly memory: boolean;
  readonly earlier: DirectoryState | undefined;
  readonly calendar: Calendar;
}

interface Foundation extends Ground {
  readonly services: Services;
  readonly httpApis: HttpApis;
  readonly blueprint: Blueprint;
  /** Undefined where nobody needs a porting service. */
  readonly company: Company | undefined;
}

/** The folder, and what an earlier run on it left. */
const breakGround = async (options: EngineOptions, undo: Undo): Promise<Ground> => {
  const folder = await openFolder(options.directory, undo);
  const log = await openLog(options, folder, undo);
  const clock = wallClock;
  const earlier = await readState(folder);
  if (earlier) await endLeftovers(earlier.guards);
  const calendar = continueCalendar(earlier, options.speed, clock());
  return { folder, log, clock, memory: options.memory ?? options.directory === undefined, earlier, calendar };
};

/** The services and what the templates want of them. */
const layFoundation = async (options: EngineOptions, undo: Undo): Promise<Foundation> => {
  const ground = await breakGround(options, undo);
  const { folder, log, clock, memory, earlier } = ground;
  const starting = startServices({
    ...{ region, accountId, directory: folder, memory, clock, log, tcpPorts: earlier?.tcpPorts ?? {} },
    callerEnvironment: options.callerEnvironment ?? process.env,
  }).then((started) => {
    undo.add(started.stop);
    return started;
  });
  const findCompany = async () => findPortingService(options, { ...ground, services: await starting }, undo);
  // The app of this repository is known to call the service, which may then start beside the synth.
  const isExpected = options.templates === undefined || typeof options.service === 'object';
  const [services, templates, early] = await allSettled([
    starting,
    options.templates ?? synthesise(options.stage ?? 'local', options.signal),
    isExpected ? findCompany() : undefined,
  ]);
  const httpApis = await openHttpApis(templates.flatMap(httpApiIds), earlier?.tcpPorts ?? {}, clock);
  undo.add(httpApis.close);
  const endpoints = { sqsEndpoint: services.endpoints.sqs, httpApiEndpoints: httpApis.endpoints };
  const around = { region, accountId, ...endpoints };
  const blueprint = mergeBlueprints(templates.map((one) => readBlueprint(one, around)));
  const company = early ?? (blueprint.functions.some(usesPortingService) ? await findCompany() : undefined);
  return { ...ground, services, httpApis, blueprint, company };
};

interface Company {
  readonly access: PortingServiceAccess;
  readonly tcpPorts: Readonly<Record<string, number>>;
  readonly guards: readonly number[];
}

/** The porting service: the one given, or ours. */
const findPortingService = async (
  options: EngineOptions,
  { memory, calendar, services, log, earlier }: Ground & Pick<Foundation, 'services'>,
  undo: Undo,
): Promise<Company> => {
  const { service = 'embedded', signal } = options;
  if (service !== 'embedded') return { access: service, tcpPorts: {}, guards: [] };
  const started = await startPortingService({
    ...calendar,
    table: memory ? undefined : 'simporter-porting-service',
    sandbox: options.sandbox ?? false,
    environment: { PATH: process.env.PATH, TZ: 'UTC', NODE_COMPILE_CACHE: compileCache, ...services.environment },
    log: (line) => log('porting-service', line),
    preferredTcpPort: earlier?.tcpPorts.service,
    signal,
  });
  undo.add(started.stop);
  return {
    access: started.access,
    tcpPorts: { service: started.tcpPort },
    guards: started.guardPid === undefined ? [] : [started.guardPid],
  };
};

/** The account in the template is a placeholder where our own porting service stands in. */
const nameAccount = (outputs: Readonly<Record<string, string>>, service: PortingServiceAccess | undefined) =>
  service !== undefined && 'ServiceAccountId' in outputs
    ? { ...outputs, ServiceAccountId: String(service.accountId) }
    : outputs;

/**
 * Where functions find DynamoDB: in a place that sees what they change, when a stream is followed. A DynamoDB that is reached by
 * TLS wants calls that are signed for itself, so it is spoken to directly and its changes are not seen.
 */
const watchTables = async (
  { blueprint, services, log }: Pick<Foundation, 'blueprint' | 'services' | 'log'>,
  changed: (change: Change) => void,
  undo: Undo,
): Promise<string> => {
  const endpoint = services.endpoints.dynamodb;
  const mappings = streamMappings(blueprint);
  if (mappings.length === 0) return endpoint;
  if (!endpoint.startsWith('http:')) {
    log('engine', `no events: ${endpoint} is not ours, and changes in it cannot be seen`);
    return endpoint;
  }
  const followed = blueprint.tables.filter(({ streamArn }) =>
    mappings.some(({ EventSourceArn }) => EventSourceArn === streamArn),
  );
  const filters = mappings.map((mapping) => createFilter(patternsOf(mapping)));
  const passThrough = await startPassThrough({
    ...{ endpoint, client: services.clients.dynamodb, tables: followed, changed },
    filter: (event) => filters.some((filter) => filter(event)),
  });
  undo.add(passThrough.close);
  return passThrough.url;
};

type Announcement = Pick<Engine, 'endpoints' | 'outputs' | 'environment' | 'calendar' | 'service'>;

/** Tells the command line where the engine is; the service's credentials stay here. */
const announceEngine = (folder: string, { calendar, service, ...open }: Announcement): Promise<void> =>
  writeEngineFile(folder, {
    ...open,
    speed: calendar.speed,
    calendarOrigin: calendar.origin,
    ...(service && {
      service: { baseUrl: service.baseUrl, authUrl: service.authUrl, accountId: service.accountId },
    }),
  });

const start = async (options: EngineOptions, undo: Undo): Promise<Engine> => {
  const foundation = await layFoundation(options, undo);
  const { folder, log, clock, earlier, calendar, services, httpApis, blueprint, company } = foundation;
  options.signal?.throwIfAborted();
  const labels = labelFunctions(blueprint.functions);
  const bundleFolder = join(folder, 'bundles');
  await mkdir(bundleFolder, { recursive: true });
  const sources = [...labels].map(([{ entry }, name]) => ({ name, entry }));
  const [bundles] = await allSettled([
    bundleFunctions(sources, root, bundleFolder),
    provision(blueprint, services.clients),
  ]);
  options.signal?.throwIfAborted();
  const service = company?.access;
  const secrets = fillSecrets(blueprint, services.secrets, service, earlier?.secrets ?? {});

  const capacity = options.capacity ?? 2 * Math.max(2, availableParallelism());
  let changed = (_: Change): void => undefined;
  const watched = await watchTables(foundation, (change) => changed(change), undo);
  const awsEnvironment = { ...services.environment, AWS_ENDPOINT_URL_DYNAMODB: watched };
  const around = { bundles, awsEnvironment, calendar, service, compileCache };
  const environments = createEnvironments({
    functions: [...labels].map(([plan, label]) => defineFunction(plan, label, around)),
    ...{ capacity, idleMs, log },
  });
  undo.add(environments.stop);
  const names = new Map(
    [...labels].flatMap(([plan, label]) => [plan.logicalId, plan.name, plan.arn, label].map((name) => [name, label])),
  );
  const invoke = (name: string, event: unknown): Promise<Outcome> =>
    environments.invoke(names.get(name) ?? name, event);
  const status = (): EngineStatus => ({
    functions: environments.status(),
    queues: Object.fromEntries(
      blueprint.queues.flatMap(({ name }) => (services.depth ? [[name, services.depth(name)] as const] : [])),
    ),
  });
  const lambda = await startLambdaEndpoint({
    ...{ invoke, status, knows: (name: string) => names.has(name) },
    ...(earlier?.tcpPorts.lambda === undefined ? {} : { preferredTcpPort: earlier.tcpPorts.lambda }),
  });
  undo.add(lambda.close);
  httpApis.serve(blueprint.httpApis, invoke);

  const endpoints = { ...services.endpoints, lambda: lambda.url, ...(service ? { service: service.baseUrl } : {}) };
  const environment = { ...services.environment, AWS_ENDPOINT_URL_LAMBDA: lambda.url };
  const outputs = nameAccount(blueprint.outputs, service);
  if (options.directory !== undefined) {
    const tcpPorts = { ...services.tcpPorts, ...httpApis.tcpPorts, ...company?.tcpPorts, lambda: lambda.tcpPort };
    await writeState(folder, {
      ...calendar,
      tcpPorts,
      guards: [...services.guards, ...(company?.guards ?? [])],
      secrets,
    });
    await announceEngine(folder, { endpoints, outputs, environment, calendar, service });
    undo.add(() => removeEngineFile(folder));
  }
  const triggers = startTriggers({
    ...{ blueprint, sqs: services.clients.sqs, region, calendar, clock, capacity, invoke, log },
    redeliverAfterMs: options.redeliverAfterMs,
  });
  changed = triggers.changed;
  undo.add(() => Promise.race([triggers.stop(), delay(options.graceMs ?? 10_000, undefined, { ref: false })]));

  return {
    ...{ directory: folder, endpoints, outputs, environment, calendar, service, invoke, status },
    killEnvironments: (signal = 'SIGKILL') => environments.kill(signal),
    stop: undo.run,
  };
};
