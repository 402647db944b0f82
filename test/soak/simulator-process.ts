// The porting simulator of a soak: a process with a separate table, so that it can be killed apart from the emulator.
// Its state shows what really happened.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import {
  startSimulator as launchSimulator,
  type SimulatorProcess as RunningSimulator,
  type ServiceAccess,
} from '#cli/local-pipeline/simulator-process.ts';
import { startDynamoDb } from '#local/aws/dynamodb.ts';
import { type FaultPlan, faultSchema } from '#simulator/controls/faults.ts';
import { until } from '../support/pipeline-process.ts';

const dumpedPort = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  rows: z.array(z.object({ number: z.string(), status: z.string() })),
});
const submission = z.object({ ticketNumber: z.string(), operation: z.string(), body: z.looseObject({}) });
const dump = z.object({ ports: z.array(dumpedPort), submissions: z.array(submission) });
export type SimulatorState = z.infer<typeof dump>;

const faultsAnswer = z.object({ seed: z.int(), faults: z.array(faultSchema.extend({ hits: z.int() })) });

export interface SimulatorProcess {
  readonly access: ServiceAccess;
  /** Everything that the simulator stores for the account, without PACs. */
  readState(): Promise<SimulatorState>;
  /** Replaces the faults. Returns how often each kind of the previous ones occurred. */
  setFaults(plan: FaultPlan): Promise<ReadonlyMap<string, number>>;
  /** Kills the process with SIGKILL. Calls get no answer until `restart`. */
  kill(): Promise<void>;
  /** Starts it again at the same address, with its stored state. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface SimulatorProcessOptions {
  readonly folder: string;
  /** Wall time in epoch milliseconds from which the calendar runs `speed` times as fast. */
  readonly origin: number;
  readonly speed: number;
}

const table = 'porting-service';
const client = { clientId: 'soak', clientSecret: randomBytes(24).toString('base64url'), accountId: 1001 };

export async function startSimulator({ folder, origin, speed }: SimulatorProcessOptions): Promise<SimulatorProcess> {
  const database = await startDynamoDb(join(folder, 'simulator.sqlite'));
  const environment = {
    PATH: process.env.PATH,
    TZ: 'UTC',
    AWS_REGION: 'eu-west-2',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: database.url,
    PORTING_SERVICE_CLIENTS: JSON.stringify(client),
  };
  const launch = (preferredTcpPort?: number): Promise<RunningSimulator> =>
    launchSimulator({ origin, speed, table, sandbox: true, environment, preferredTcpPort, log: () => undefined });
  let running = await launch();
  const { access } = running;
  const call = createCall(access);
  const faults = async () => faultsAnswer.parse(await call('GET', '/_sandbox/faults'));
  return {
    access,
    readState: async () => dump.parse(await call('GET', '/_sandbox/dump')),
    setFaults: async (plan) => {
      const before = await faults();
      // A call in progress stores the plan with which it started, so this repeats until the new plan is stored.
      await until('the faults are replaced', async () => {
        await call('PUT', '/_sandbox/faults', plan);
        const { seed, faults: stored } = await faults();
        return (seed === plan.seed && stored.length === plan.faults.length) || undefined;
      });
      return hitsByKind(before);
    },
    kill: async () => {
      running.child.kill('SIGKILL');
      await running.exited;
    },
    restart: async () => {
      running = await launch(Number(new URL(access.baseUrl).port));
      if (running.access.baseUrl !== access.baseUrl) throw new Error('the address of the simulator is in use');
    },
    stop: async () => {
      await running.stop();
      await database.stop();
    },
  };
}

function hitsByKind({ faults }: z.infer<typeof faultsAnswer>): ReadonlyMap<string, number> {
  const hits = new Map<string, number>();
  for (const { does, hits: times } of faults) {
    const kind = 'when' in does ? `${does.kind} ${does.when}` : does.kind;
    hits.set(kind, (hits.get(kind) ?? 0) + times);
  }
  return hits;
}

/** Faults do not affect the controls, but they may affect the request of a token. */
/** Calls of the test controls, repeated until they are answered. */
export function createCall(access: ServiceAccess) {
  let token: Promise<string> | undefined;
  const once = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    token ??= fetchToken(access);
    const response = await fetch(`${access.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${await token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return (method: string, path: string, body?: unknown): Promise<unknown> =>
    until(`${method} ${path}`, () =>
      once(method, path, body).catch(() => {
        token = undefined;
        return undefined;
      }),
    );
}

async function fetchToken({ authUrl, clientId, clientSecret }: ServiceAccess): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}
