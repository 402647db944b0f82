// The porting simulator in a process with a separate table: its state shows what really happened.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { startSimulator as launchSimulator, type ServiceAccess } from '#cli/local-pipeline/local-pipeline.ts';
import { startDynamoDb } from '#local/aws/dynamodb.ts';
import type { FaultPlan } from '#simulator/controls/faults.ts';
import { createCall } from '../../support/service/simulator-controls.ts';

const dumpedPort = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  rows: z.array(z.object({ number: z.string(), status: z.string() })),
});
const submission = z.object({ ticketNumber: z.string(), operation: z.string(), body: z.looseObject({}) });
const dump = z.object({ ports: z.array(dumpedPort), submissions: z.array(submission) });
export type SimulatorState = z.infer<typeof dump>;

export interface SimulatorProcess {
  readonly access: ServiceAccess;
  /** Everything that the simulator stores for the account, without PACs. */
  readState(): Promise<SimulatorState>;
  setFaults(plan: FaultPlan): Promise<void>;
  stop(): Promise<void>;
}

export interface SimulatorProcessOptions {
  readonly folder: string;
  /** Wall time in epoch milliseconds from which the calendar runs `speed` times as fast. */
  readonly origin: number;
  readonly speed: number;
}

const table = 'porting-service';
const client = { clientId: 'restart', clientSecret: randomBytes(24).toString('base64url'), accountId: 1001 };

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
  const options = { origin, speed, table, sandbox: true, environment };
  const running = await launchSimulator({ ...options, log: () => undefined });
  const call = createCall(running.access);
  return {
    access: running.access,
    readState: async () => dump.parse(await call('GET', '/_sandbox/dump')),
    setFaults: async (plan) => {
      await call('PUT', '/_sandbox/faults', plan);
    },
    stop: async () => {
      await running.stop();
      await database.stop();
    },
  };
}
