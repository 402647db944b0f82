// Runs simporter on the local emulator of AWS, with the porting simulator or another porting service.

import { createInterface } from 'node:readline';
import * as z from 'zod';
import { installation } from '#installation';
import { type ChildProgram, type KeptRunning, keepRunning, startProgram } from '#local/child-process.ts';
import { compileCache } from '#local/content-cache.ts';
import { startEmulator } from '#local/emulator.ts';
import type { Emulator, EmulatorOptions, OtherService, OtherServiceContext } from '#local/emulator-options.ts';
import { newAccessKey } from '#local/http/signature.ts';
import { simulatorPath } from '#shared/service/service-texts.ts';
import { portingAccount } from '#shared/text/identity.ts';

export interface PipelineOptions
  extends Omit<EmulatorOptions, 'project' | 'stacks' | 'variables' | 'startOtherService'> {
  /** The porting service that the functions call. @default - the porting simulator is started beside them */
  readonly service?: ServiceAccess | undefined;
  /** Adds the simulator's controls under `/_sandbox`. @default false */
  readonly sandbox?: boolean | undefined;
  /** Settings of functions, each group as JSON; the others are of the local environment. @default - none */
  readonly serviceVariables?: Readonly<Record<string, string>> | undefined;
}

export interface Pipeline extends Emulator {
  readonly service: ServiceAccess;
}

export const { project } = installation;

/**
 * Shorter than the visibility timeouts of the queues, up to 90 minutes, which are too long at a terminal. On AWS, sync
 * resumes the work of a crashed function.
 */
const redeliverAfterMs = 60_000;

/** What the functions and the command line must know of a porting service. */
const otherServiceOf = ({ accountId, ...access }: ServiceAccess, kind: 'simulator' | 'external'): OtherService => {
  const path = kind === 'simulator' ? simulatorPath : '';
  const [baseUrl, authUrl] = [`${access.baseUrl}${path}`, `${access.authUrl}${path}`];
  // The simulator may get another port with each start.
  const service = { baseUrl, authUrl, accountId, ...(kind === 'simulator' && { knownAs: 'simulator' }) };
  return {
    endpoints: { service: access.baseUrl, serviceAuth: access.authUrl },
    tcpPorts: {},
    variables: { service: JSON.stringify(service) },
    secrets: {
      SERVICE_SECRET_ARN: JSON.stringify({ clientId: access.clientId, clientSecret: access.clientSecret }),
    },
    // The account of the template is a placeholder.
    outputs: { PortingAccount: portingAccount(service), ServiceBaseUrl: baseUrl },
    stop: async () => undefined,
  };
};

/** Starts the pipeline and resolves when it takes files. @throws as startEmulator */
export const startPipeline = async ({
  service,
  sandbox = false,
  serviceVariables = {},
  ...options
}: PipelineOptions = {}): Promise<Pipeline> => {
  let access = service;
  const adjusted = (otherService: OtherService): OtherService => ({
    ...otherService,
    variables: { ...otherService.variables, ...serviceVariables },
  });

  const startOtherService = async (context: OtherServiceContext): Promise<OtherService> => {
    if (service !== undefined) return adjusted(otherServiceOf(service, 'external'));
    const { calendarFile, memory, environment, tcpPorts, log, report, signal } = context;
    const simulator = await keepSimulatorRunning({
      calendarFile,
      table: memory ? undefined : 'simporter-porting-service',
      sandbox,
      environment: {
        PATH: process.env.PATH,
        TZ: 'UTC',
        NODE_COMPILE_CACHE: compileCache(project.cacheDirectory),
        ...environment,
      },
      log: (line) => log('simulator', line),
      preferredTcpPort: tcpPorts.service,
      report,
      signal,
    });
    access = simulator.current.access;
    return {
      ...adjusted(otherServiceOf(access, 'simulator')),
      tcpPorts: { service: Number(new URL(access.baseUrl).port) },
      stop: simulator.stop,
    };
  };

  const emulator = await startEmulator({
    redeliverAfterMs,
    ...options,
    // Other users of the machine can reach every loopback address.
    accessKey: service && newAccessKey(),
    project,
    stacks: await installation.readStacks(),
    variables: ({ file }) => ({ CALENDAR_FILE: file }),
    startOtherService,
  });
  return { ...emulator, service: access as ServiceAccess };
};

// The porting simulator in its own process, which is called over HTTP like the real service.

/** The first line that the simulator writes with `--json`. */
const simulatorAnnouncement = z.object({
  baseUrl: z.url(),
  authUrl: z.url(),
  clients: z
    .array(z.object({ clientId: z.string(), clientSecret: z.string(), accountId: z.coerce.number().int() }))
    .min(1),
});

/** Where a porting service is, and the client that calls it. */
export interface ServiceAccess {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accountId: number;
}

export interface SimulatorProcess extends ChildProgram {
  readonly access: ServiceAccess;
}

/** The calendar of the ports: one that changes while it runs, in a file, or one that does not. */
type SimulatorCalendar =
  | { readonly calendarFile: string }
  | {
      readonly speed: number;
      /** Epoch milliseconds from which the calendar counts. */
      readonly origin: number;
    };

type SimulatorOptions = SimulatorCalendar & SimulatorPlace;

interface SimulatorPlace {
  /** The DynamoDB table of the ports; they are in memory where undefined. */
  readonly table?: string | undefined;
  /** Adds the controls under `/_sandbox`. */
  readonly sandbox: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
  /** The TCP port of an earlier run: links to ports contain it. */
  readonly preferredTcpPort?: number | undefined;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal | undefined;
}

/** The first line holds the clients' secrets, so it is not logged; undefined where the program ended without one. */
const readOutput = ({ child, exited }: ChildProgram, log: (line: string) => void): Promise<string | undefined> => {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let lines = 0;
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines += 1;
      if (lines === 1) resolve(line);
      else log(line);
    });
  }
  void exited.then(() => resolve(undefined));
  return promise;
};

const calendarWords = (calendar: SimulatorCalendar): string[] =>
  'calendarFile' in calendar
    ? ['--calendar', calendar.calendarFile]
    : ['--speed', String(calendar.speed), '--origin', String(calendar.origin)];

const launch = async (options: SimulatorOptions, tcpPort: number): Promise<SimulatorProcess> => {
  const { signal } = options;
  signal?.throwIfAborted();
  const words = [
    '--json',
    '--port',
    String(tcpPort),
    ...calendarWords(options),
    ...(options.table === undefined ? [] : ['--store', 'dynamodb', '--table', options.table]),
    ...(options.sandbox ? ['--sandbox'] : []),
  ];
  const started = startProgram(installation.simulatorProgram, words, options.environment);
  const abort = (): void => void started.stop();
  signal?.addEventListener('abort', abort);
  const lastLines: string[] = [];
  if (started.child.stderr) {
    createInterface({ input: started.child.stderr }).on('line', (line) => {
      lastLines.splice(0, lastLines.length - 19, line);
      options.log(line);
    });
  }
  const line = await readOutput(started, options.log);
  signal?.removeEventListener('abort', abort);
  if (line === undefined) {
    throw new Error(`The porting simulator ended before it was ready: ${lastLines.join('\n') || 'it gave no reason'}`);
  }
  const { baseUrl, authUrl, clients } = simulatorAnnouncement.parse(JSON.parse(line));
  const { clientId, clientSecret, accountId } = clients[0] as (typeof clients)[number];
  return { ...started, access: { baseUrl, authUrl, clientId, clientSecret, accountId } };
};

/** Starts the simulator and waits until it has an address. */
export const startSimulator = async (options: SimulatorOptions): Promise<SimulatorProcess> => {
  if (options.preferredTcpPort === undefined) return launch(options, 0);
  return launch(options, options.preferredTcpPort).catch(() => launch(options, 0));
};

/** The same, and starts it again at the same address and with the same client when it ends by itself. */
const keepSimulatorRunning = (
  options: SimulatorOptions & { readonly report: (line: string) => void },
): Promise<KeptRunning<SimulatorProcess>> => {
  const { environment, report, table } = options;
  let access: ServiceAccess | undefined;
  return keepRunning({
    name:
      table === undefined ? 'The porting simulator (its ports were in memory and are lost)' : 'The porting simulator',
    start: async () => {
      if (access === undefined) {
        const first = await startSimulator(options);
        access = first.access;
        return first;
      }
      const client = { clientId: access.clientId, clientSecret: access.clientSecret, accountId: access.accountId };
      const PORTING_SERVICE_CLIENTS = JSON.stringify([client]);
      const tcpPort = Number(new URL(access.baseUrl).port);
      return launch({ ...options, environment: { ...environment, PORTING_SERVICE_CLIENTS } }, tcpPort);
    },
    report,
  });
};
