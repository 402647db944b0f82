// The simulator stack on the emulator, from its template: the porting service as a function behind an HTTP API, with
// its own table and its own clients.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Emulator } from '#local/emulator-options.ts';
import { connectionTo, startTestEmulator } from '../support/emulator/emulator.ts';
import { synthesiseSimulator } from '../support/infra/template.ts';
import { portRow } from '../support/service/simulator.ts';

let directory: string;
let emulator: Emulator;
let lines: readonly { line: string }[];
const templates = [{ stackName: 'simporter-simulator-dev', body: synthesiseSimulator() }];
const start = async () => {
  ({ emulator, lines } = await startTestEmulator({ directory, templates }));
};
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simporter-simulator-'));
  await start();
});
afterAll(async () => {
  await emulator.stop();
  await rm(directory, { recursive: true, force: true });
});

const clientOf = async (): Promise<{ clientId: string; clientSecret: string; accountId: number }> => {
  const secrets = new SecretsManagerClient(connectionTo(emulator.endpoints.secretsManager));
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: emulator.outputs.ClientsArn }));
  return JSON.parse(SecretString ?? '');
};

const call = async (method: string, path: string, options: { body?: unknown; token?: string } = {}) => {
  const response = await fetch(`${emulator.outputs.BaseUrl}${path}`, {
    method,
    headers: {
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      ...(options.body !== undefined && { 'content-type': 'application/json;charset=UTF-8' }),
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
};

const tokenOf = async (clientSecret?: string) => {
  const client = await clientOf();
  const form = { grant_type: 'client_credentials', client_id: client.clientId };
  const body = new URLSearchParams({ ...form, client_secret: clientSecret ?? client.clientSecret });
  const response = await fetch(`${emulator.outputs.AuthUrl}/connect/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as { access_token: string } };
};

interface Target {
  readonly id: number;
  readonly sourceNetworks: readonly { readonly id: number }[];
  readonly minPortDays: number;
  readonly maxPortDays: number;
  readonly upcomingHolidays: readonly string[];
}

/** A day that the target takes: a working day well inside its window. */
const dayFor = ({ minPortDays, maxPortDays, upcomingHolidays }: Target): string => {
  for (let days = minPortDays + 2; days < maxPortDays; days += 1) {
    const date = new Date(Date.now() + days * 86_400_000);
    const text = date.toISOString().slice(0, 10);
    if (date.getUTCDay() % 6 !== 0 && !upcomingHolidays.some((day) => day.startsWith(text))) return `${text}T00:00:00`;
  }
  throw new Error('the window has no working day');
};

const createPort = async (token: string, name: string, index: number) => {
  const { body: types } = await call('GET', '/api/porting/1001/networks', { token });
  const target: Target = types
    .find(({ portTypeName }: { portTypeName: string }) => portTypeName === 'Port')
    .targetNetworks.find(({ id }: Target) => id === 11);
  return call('POST', '/api/porting/1001', {
    token,
    body: {
      name,
      targetNetworkId: target.id,
      sourceNetworkId: target.sourceNetworks[0]?.id,
      connectionDate: dayFor(target),
      portType: 'Port',
      rows: [portRow(index)],
    },
  });
};

const listed = async (token: string) =>
  (await call('GET', '/api/porting/1001', { token })).body.data.map(({ name }: { name: string }) => name);

describe('the sandbox stack', () => {
  test('issues a token to its client, and to no other', async () => {
    expect(await tokenOf()).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
    expect(await tokenOf('guessed')).toEqual({ status: 400, body: { error: 'invalid_client' } });
  });

  test('creates a port and lists it, through the function and its table', async () => {
    const { access_token: token } = (await tokenOf()).body;

    expect(await createPort(token, 'Through the API', 1)).toMatchObject({ status: 201, body: expect.any(String) });

    expect(await listed(token)).toEqual(['Through the API']);
    expect(emulator.status().functions.simulator?.invocations).toBeGreaterThan(3);
    expect(lines.filter(({ line }) => line.includes('ERROR'))).toEqual([]);
  });

  test('keeps its address, its client and its ports over a restart', async () => {
    const { BaseUrl } = emulator.outputs;
    const { access_token: token } = (await tokenOf()).body;
    await emulator.stop();

    await start();

    expect(emulator.outputs.BaseUrl).toBe(BaseUrl);
    expect(await listed(token)).toEqual(['Through the API']);
  });

  test('moves its calendar when the clock sends its event', async () => {
    const { access_token: token } = (await tokenOf()).body;
    const now = async () => (await call('GET', '/_sandbox/clock', { token })).body.epochMs;
    const before = await now();

    expect(await emulator.invoke('simulator', { advanceMs: 86_400_000 })).toEqual({ ok: true, payload: null });

    expect((await now()) - before).toBeGreaterThanOrEqual(86_400_000);
  });

  test('shows the setting that connects the pipeline', () => {
    const { BaseUrl, ConnectPipeline } = emulator.outputs;
    expect(JSON.parse(`{${ConnectPipeline}}`)).toEqual({
      service: { baseUrl: BaseUrl, authUrl: BaseUrl, accountId: 1001 },
    });
  });
});
