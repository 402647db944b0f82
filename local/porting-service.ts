// The porting service beside the engine: its own process, spoken to over real HTTP like the real one.
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { startGuarded } from './guarded-process.ts';

export const serviceAnnouncement = z.object({
  baseUrl: z.url(),
  authUrl: z.url(),
  clients: z
    .array(z.object({ clientId: z.string(), clientSecret: z.string(), accountId: z.coerce.number().int() }))
    .min(1),
});

/** Where a porting service is and who we are there. */
export interface PortingServiceAccess {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accountId: number;
}

export interface EmbeddedPortingService {
  readonly access: PortingServiceAccess;
  readonly tcpPort: number;
  readonly guardPid: number | undefined;
  stop(): Promise<void>;
}

export interface PortingServiceOptions {
  readonly speed: number;
  /** Epoch milliseconds from which the calendar counts. */
  readonly origin: number;
  /** The DynamoDB table to keep ports in; in memory where undefined. */
  readonly table?: string | undefined;
  /** Switches the rehearsal controls under `/_sandbox` on. */
  readonly sandbox: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
  readonly preferredTcpPort?: number | undefined;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal | undefined;
}

const program = fileURLToPath(new URL('../functions/porting-service/main.ts', import.meta.url));

const launch = async (options: PortingServiceOptions, tcpPort: number): Promise<EmbeddedPortingService> => {
  const { signal } = options;
  signal?.throwIfAborted();
  const guarded = startGuarded(
    process.execPath,
    [
      ...['--disable-warning=ExperimentalWarning', program, '--json', '--port', String(tcpPort)],
      ...['--speed', String(options.speed), '--origin', String(options.origin)],
      ...(options.table === undefined ? [] : ['--store', 'dynamodb', '--table', options.table]),
      ...(options.sandbox ? ['--sandbox'] : []),
    ],
    options.environment,
  );
  const { child, stop, exited } = guarded;
  const giveUp = (): void => void stop();
  signal?.addEventListener('abort', giveUp);
  const complaints: string[] = [];
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      complaints.splice(0, Math.max(0, complaints.length - 20));
      complaints.push(line);
      options.log(line);
    });
  }
  const { promise: firstLine, resolve: announced } = Promise.withResolvers<string | undefined>();
  if (child.stdout) {
    let lines = 0;
    // The first line holds the clients' secrets and is for the engine alone; the others are for the log.
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines += 1;
      if (lines === 1) announced(line);
      else options.log(line);
    });
  }
  void exited.then(() => announced(undefined));

  const line = await firstLine;
  signal?.removeEventListener('abort', giveUp);
  if (line === undefined) {
    throw new Error(`The porting service ended before it was ready: ${complaints.join('\n') || 'it gave no reason'}`);
  }
  const { baseUrl, authUrl, clients } = serviceAnnouncement.parse(JSON.parse(line));
  const [client] = clients;
  if (client === undefined) throw new Error('The porting service announced no client');
  const { clientId, clientSecret, accountId } = client;
  return {
    access: { baseUrl, authUrl, clientId, clientSecret, accountId },
    tcpPort: Number(new URL(baseUrl).port),
    guardPid: child.pid,
    stop,
  };
};

/**
 * Starts the service and waits until it says where it is. The TCP port of an earlier run is taken again where it is
 * free, because ports' links and people's notes point there.
 */
export const startPortingService = async (options: PortingServiceOptions): Promise<EmbeddedPortingService> => {
  if (options.preferredTcpPort === undefined) return launch(options, 0);
  return launch(options, options.preferredTcpPort).catch(() => launch(options, 0));
};
