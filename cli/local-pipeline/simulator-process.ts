// The porting simulator in its own process, which is called over HTTP like the real service.
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { installation } from '#installation';
import { type ChildProgram, startProgram } from '#local/child-process.ts';
import { type KeptRunning, keepRunning } from '#local/keep-running.ts';

/** The first line that the simulator writes with `--json`. */
export const simulatorAnnouncement = z.object({
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
export type SimulatorCalendar =
  | { readonly calendarFile: string }
  | {
      readonly speed: number;
      /** Epoch milliseconds from which the calendar counts. */
      readonly origin: number;
    };

export type SimulatorOptions = SimulatorCalendar & SimulatorPlace;

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
export const keepSimulatorRunning = (
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
