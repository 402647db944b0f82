// The routes of the API that control the simulator. They are passed on to the simulator, with its own client.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { callerLimit } from '#functions/api/context.ts';
import { type Api, bindEndpoints, createApi, createIdempotency } from '#functions/api/http/app.ts';
import { ApiProblem } from '#functions/api/http/endpoint.ts';
import { faultPlan, type SimulatorControls, simulatorEndpoints } from '#functions/api/simulator.ts';
import { installation } from '#installation';
import { wallClock } from '#shared/runtime/clock.ts';
import { createLog } from '#shared/runtime/logger.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { createFiles } from '#shared/store/files.ts';
import { createIdempotencyStore } from '#shared/store/idempotency-keys.ts';
import { uploadKey } from '#shared/store/object-keys.ts';
import { importId } from '#shared/text/identity.ts';
import type { ServiceAccess } from '../local-pipeline/simulator-process.ts';
import type { Resources } from '../target/stack-outputs.ts';
import type { CalendarControl } from './calendar-control.ts';

export interface SimulatorControlOptions {
  readonly service: ServiceAccess;
  readonly calendar: CalendarControl;
  readonly clients: AwsClients;
  readonly resources: Resources;
}

const accessToken = z.object({ access_token: z.string() });

export function createSimulatorApi(options: SimulatorControlOptions): Api {
  const { clients, resources } = options;
  return createApi({
    endpoints: bindEndpoints(simulatorEndpoints, createSimulatorControls(options)),
    idempotency: createIdempotency(createIdempotencyStore(clients.table, resources.resultsTable, wallClock)),
    limit: callerLimit,
    wall: wallClock,
    log: createLog({ service: 'api-simulator', level: 'ERROR' }),
  });
}

function createSimulatorControls(options: SimulatorControlOptions): SimulatorControls {
  const { service, calendar } = options;
  const control = async (method: 'GET' | 'PUT', path: string, body?: unknown): Promise<unknown> => {
    const token = await readToken(service);
    const response = await fetch(`${service.baseUrl}/_sandbox/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.json();
    const { message } = z.object({ message: z.string() }).parse(await response.json());
    throw new ApiProblem(response.status === 404 ? 'not-ready' : 'invalid-request', message);
  };
  return {
    calendar,
    getFaults: async () => faultPlan.parse(await control('GET', 'faults')),
    setFaults: async (plan) => faultPlan.parse(await control('PUT', 'faults', plan)),
    loadExample: (name, writeId) => loadExample(name, writeId, options),
  };
}

/** Of the simulator. */
export async function readToken({ authUrl, clientId, clientSecret }: ServiceAccess): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  return accessToken.parse(await response.json()).access_token;
}

async function loadExample(
  name: string,
  writeId: string,
  { clients, resources: { inboxBucket: bucket } }: SimulatorControlOptions,
): Promise<string> {
  const files = createFiles(clients.s3);
  const operation = name.replace(/\.csv$/, '');
  const key = uploadKey({ operation, folder: writeId, fileName: name, planOnly: true });
  const writer = files.open(bucket, key, 'text/csv');
  for await (const chunk of createReadStream(join(installation.examples, name))) await writer.write(chunk as Buffer);
  await writer.close();
  const head = await files.head({ bucket, key });
  return importId({ bucket, key, version: head?.versionId ?? head?.etag ?? '' });
}
