// Starts what must exist before any function runs: the folder, the calendar, the AWS services, the service beside them
// and the resources of the stacks.
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Services, startServices } from './aws/start-services.ts';
import type { CleanupStack } from './cleanup-stack.ts';
import { wallClock } from './clock.ts';
import { hashFiles } from './content-cache.ts';
import { claimDirectory, isAbandoned, readState } from './data-folder.ts';
import type { EmulatorOptions, OtherService } from './emulator-options.ts';
import { openAwsRouter } from './http/aws-router.ts';
import { openHttpApis } from './http/http-api.ts';
import { bundleFunctions } from './lambda/bundle.ts';
import { type Log, openLogFiles } from './logs.ts';
import { continueCalendar, openCalendar } from './running-calendar.ts';
import { entriesOf, httpApiIds, readBlueprint } from './template/blueprint.ts';
import { synthesise } from './template/synthesise.ts';
import type { Template } from './template/template.ts';

export const region = 'eu-west-2';
const accountId = '000000000000';

const openFolder = async (directory: string | undefined, cleanup: CleanupStack): Promise<string> => {
  if (directory === undefined) {
    const temporary = await openTemporaryFolder();
    cleanup.add(temporary.remove);
    return temporary.path;
  }
  const release = await claimDirectory(directory);
  cleanup.add(async () => release());
  return directory;
};

const openLog = (options: EmulatorOptions, folder: string, cleanup: CleanupStack): Log => {
  if (options.log !== undefined) return options.log;
  const files = openLogFiles(join(folder, 'logs'), options.report ?? (() => undefined));
  cleanup.add(files.close);
  return files.log;
};

const openFolderAndLog = async (options: EmulatorOptions, cleanup: CleanupStack) => {
  const { directory, project, speed } = options;
  const folder = await openFolder(directory, cleanup);
  const log = openLog(options, folder, cleanup);
  const earlier = await readState(folder);
  return {
    folder,
    log,
    earlier,
    report: (line: string): void => {
      log('emulator', line);
      options.report?.(line);
    },
    memory: options.memory ?? directory === undefined,
    /** Called when the calendar was changed. */
    calendar: await openCalendar(folder, continueCalendar(earlier, speed, wallClock()), {
      now: wallClock,
      wait: delay,
    }),
    sourcesHash: await hashFiles(project.root, project.sources),
    /** Called when a program beside the emulator was started again, and when the calendar was changed. */
    restartHooks: { database: async (): Promise<void> => undefined, calendar: async (): Promise<void> => undefined },
  };
};
type Opened = Awaited<ReturnType<typeof openFolderAndLog>>;

/** Like Promise.all. Where one fails it aborts the others and waits for their end, so that all can be cleaned up. */
const allOrAbort = async <Values extends readonly unknown[]>(
  failure: AbortController,
  promises: readonly [...{ [Index in keyof Values]: Promise<Values[Index]> }],
): Promise<Values> => {
  for (const promise of promises) promise.catch((error: unknown) => failure.abort(error));
  await Promise.allSettled(promises);
  failure.signal.throwIfAborted();
  return (await Promise.all(promises)) as unknown as Values;
};

const readTemplates = async (
  { stacks, project }: EmulatorOptions,
  { sourcesHash }: Opened,
  signal: AbortSignal,
): Promise<readonly Template[]> => ('program' in stacks ? synthesise(stacks, project, sourcesHash, signal) : stacks);

/** Bundles the functions that are expected, and later those that are missing. */
const bundle = async (
  { project }: EmulatorOptions,
  { sourcesHash }: Opened,
  templates: Promise<readonly Template[]>,
): Promise<ReadonlyMap<string, string>> => {
  const expected = await bundleFunctions(project.entries, project, sourcesHash);
  const entries = (await templates).flatMap((template) => entriesOf(template, project.entryMetadata));
  const isComplete = entries.every((entry) => expected.has(entry));
  return isComplete ? expected : bundleFunctions(entries, project, sourcesHash);
};

const startOtherService = async (
  options: EmulatorOptions,
  { calendar, memory, earlier, log, report }: Opened,
  services: Services,
  signal: AbortSignal,
): Promise<OtherService | undefined> =>
  options.startOtherService?.({
    calendarFile: calendar.file,
    memory,
    log,
    report,
    signal,
    environment: { ...services.environment, AWS_ENDPOINT_URL_DYNAMODB: services.dynamodbUrl },
    tcpPorts: earlier?.tcpPorts ?? {},
  });

export const prepare = async (options: EmulatorOptions, cleanup: CleanupStack) => {
  const opened = await openFolderAndLog(options, cleanup);
  const { folder, log, report, memory, earlier, restartHooks } = opened;
  const tcpPorts = earlier?.tcpPorts ?? {};
  const failure = new AbortController();
  const signal = AbortSignal.any([failure.signal, ...(options.signal ? [options.signal] : [])]);
  let pages: readonly string[] = options.allowedOrigins ?? [];
  const router = await openAwsRouter({
    preferredTcpPort: tcpPorts.aws,
    allowedOrigins: () => pages,
    accessKey: options.accessKey,
    log: (line) => log('emulator', line),
  });
  cleanup.add(router.close);
  const starting = startServices(
    {
      router,
      region,
      accountId,
      directory: folder,
      memory,
      clock: wallClock,
      log,
      report,
      databaseRestarted: () => restartHooks.database(),
      callerEnvironment: options.callerEnvironment ?? process.env,
      accessKey: options.accessKey,
    },
    cleanup,
  );
  const startingOtherService = starting.then(async (services) => {
    const otherService = await startOtherService(options, opened, services, signal);
    if (otherService !== undefined) cleanup.add(otherService.stop);
    return otherService;
  });
  const reading = readTemplates(options, opened, signal);
  const [services, templates, otherService, bundles] = await allOrAbort(failure, [
    starting,
    reading,
    startingOtherService,
    bundle(options, opened, reading),
  ]);
  const httpApis = await openHttpApis(templates.flatMap(httpApiIds), tcpPorts, wallClock);
  cleanup.add(httpApis.close);
  pages = [...pages, ...Object.values(httpApis.endpoints)];
  const { entryMetadata } = options.project;
  const endpoints = { sqsEndpoint: services.endpoints.sqs, httpApiEndpoints: httpApis.endpoints };
  const context = { region, accountId, entryMetadata, ...endpoints };
  const blueprint = readBlueprint(templates, context);
  return { ...opened, router, services, httpApis, blueprint, otherService, bundles };
};

export type Prepared = Awaited<ReturnType<typeof prepare>>;

const prefix = 'aws-emulator-';
const removal = { recursive: true, force: true, maxRetries: 5 } as const;

/** Removes folders of emulators that were killed. One without a claim stays: its emulator may be about to claim it. */
const removeAbandoned = async (): Promise<void> => {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    if (isAbandoned(folder)) await rm(folder, removal);
  }
};

const openTemporaryFolder = async () => {
  // Folders of other users cannot be removed.
  await removeAbandoned().catch(() => undefined);
  const path = await mkdtemp(join(tmpdir(), prefix));
  const release = await claimDirectory(path);
  // Where the process ends without a stop, nothing asynchronous runs any more.
  const removeOnExit = (): void => {
    release();
    rmSync(path, removal);
  };
  process.once('exit', removeOnExit);
  return {
    path,
    remove: async (): Promise<void> => {
      release();
      await rm(path, removal);
      process.off('exit', removeOnExit);
    },
  };
};
