// The porting service as the outside world of a soak: a process and a table of its own, so that it lives and dies apart from
// the engine. It is the one that knows what really happened.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type FaultPlan, faultSchema } from '#functions/porting-service/sandbox.ts';
import { startDynamoDb } from '#local/aws/dynamodb.ts';
import { type EmbeddedPortingService, type PortingServiceAccess, startPortingService } from '#local/porting-service.ts';
import { descendants, kill, until } from '../support/pipeline-process.ts';

const dumpedPort = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  rows: z.array(z.object({ number: z.string(), status: z.string() })),
});
const submission = z.object({ ticketNumber: z.string(), operation: z.string(), body: z.looseObject({}) });
const dump = z.object({ ports: z.array(dumpedPort), submissions: z.array(submission) });
export type ServiceDump = z.infer<typeof dump>;

const faultsAnswer = z.object({ seed: z.int(), faults: z.array(faultSchema.extend({ hits: z.int() })) });

export interface Outside {
  readonly access: PortingServiceAccess;
  /** Everything that the service keeps of the account, PACs left out. */
  dump(): Promise<ServiceDump>;
  /** Replaces the faults and answers how often those before have hit, by kind. */
  setFaults(plan: FaultPlan): Promise<ReadonlyMap<string, number>>;
  /** `kill -9`; whoever calls it hears nothing until `revive`. */
  kill(): Promise<void>;
  /** The same service at the same place, with what it had stored. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

export interface OutsideOptions {
  readonly folder: string;
  /** Wall time, epoch ms, from which its calendar runs `speed` times as fast. */
  readonly origin: number;
  readonly speed: number;
}

const table = 'porting-service';
const client = { clientId: 'soak', clientSecret: randomBytes(24).toString('base64url'), accountId: 1001 };

export async function openOutside({ folder, origin, speed }: OutsideOptions): Promise<Outside> {
  const database = await startDynamoDb(join(folder, 'outside.sqlite'));
  const environment = {
    PATH: process.env.PATH,
    TZ: 'UTC',
    AWS_REGION: 'eu-west-2',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: database.url,
    PORTING_SERVICE_CLIENTS: JSON.stringify(client),
  };
  const launch = (preferredTcpPort?: number): Promise<EmbeddedPortingService> =>
    startPortingService({ origin, speed, table, sandbox: true, environment, preferredTcpPort, log: () => undefined });
  let running = await launch();
  const { access } = running;
  const call = createCall(access);
  const faults = async () => faultsAnswer.parse(await call('GET', '/_sandbox/faults'));
  return {
    access,
    dump: async () => dump.parse(await call('GET', '/_sandbox/dump')),
    setFaults: async (plan) => {
      const before = await faults();
      // A request that is under way writes the plan which it began with: asked for until it stands.
      await until('the faults are as wished', async () => {
        await call('PUT', '/_sandbox/faults', plan);
        const { seed, faults: standing } = await faults();
        return (seed === plan.seed && standing.length === plan.faults.length) || undefined;
      });
      return hitsByKind(before);
    },
    kill: async () => {
      const [program] = descendants(running.guardPid ?? 0).filter(runsTheService);
      if (program !== undefined) kill(program);
      await running.stop();
    },
    revive: async () => {
      running = await launch(running.tcpPort);
      if (running.access.baseUrl !== access.baseUrl) throw new Error('the address of the service is taken');
    },
    stop: async () => {
      await running.stop();
      await database.stop();
    },
  };
}

const runsTheService = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('porting-service/main.ts');
  } catch {
    return false;
  }
};

function hitsByKind({ faults }: z.infer<typeof faultsAnswer>): ReadonlyMap<string, number> {
  const hits = new Map<string, number>();
  for (const { does, hits: times } of faults) {
    const kind = 'when' in does ? `${does.kind} ${does.when}` : does.kind;
    hits.set(kind, (hits.get(kind) ?? 0) + times);
  }
  return hits;
}

/** The controls themselves are never hit by a fault, but the token for them may be. */
function createCall(access: PortingServiceAccess) {
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

async function fetchToken({ authUrl, clientId, clientSecret }: PortingServiceAccess): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}
