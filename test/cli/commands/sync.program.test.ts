// simporter sync reports what a run did, so that no old secret and no record of a missed run is deleted after a run
// that did nothing. Faults of the simulator imitate a service that is unavailable or does not accept a secret.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { documentClient } from '#shared/store/clients.ts';
import { createLeases, createRateLimitStore } from '#shared/store/leases.ts';
import { accountNumber } from '#shared/text/identity.ts';
import { bookableDay } from '../../support/bookable-day.ts';
import { type CliEmulator, startCliEmulator } from '../../support/cli/emulator.ts';
import { createPortFile } from '../../support/cli/files.ts';
import {
  actionsJson,
  doctorJson,
  importJson,
  portsJson,
  redriveJson,
  resultJson,
  statusJson,
  syncJson,
} from '../../support/cli/json-shapes.ts';
import { until } from '../../support/emulator/start-process.ts';

let engine: CliEmulator;
let sqs: SQSClient;
let table: DynamoDBClient;
let baseUrl: string;
let authorization: string;

beforeAll(async () => {
  engine = await startCliEmulator(21_600, { sandbox: true });
  sqs = new SQSClient({ endpoint: engine.environment.AWS_ENDPOINT_URL_SQS ?? '' });
  table = new DynamoDBClient({ endpoint: engine.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '' });
  ({ baseUrl, authorization } = await withToken());
});
afterAll(async () => {
  sqs?.destroy();
  table?.destroy();
  await engine?.stop();
});

const tokens = z.object({ access_token: z.string() });
const withToken = async (): Promise<{ baseUrl: string; authorization: string }> => {
  const { service } = engine;
  if (service === undefined) throw new Error('the emulator has no porting service');
  const { authUrl, baseUrl, clientId, clientSecret } = service;
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  return { baseUrl, authorization: `Bearer ${tokens.parse(await response.json()).access_token}` };
};
const setFaults = async (faults: readonly unknown[]): Promise<void> => {
  const body = JSON.stringify({ seed: 1, faults });
  const headers = { authorization, 'content-type': 'application/json' };
  const { ok } = await fetch(`${baseUrl}/_sandbox/faults`, { method: 'PUT', headers, body });
  expect(ok).toBe(true);
};
afterEach(() => setFaults([]));

const sync = async () => {
  const { exitCode, stdout } = await engine.run('sync', '--json');
  return { exitCode, ...syncJson.parse(JSON.parse(stdout)) };
};
const noToken = { endpoint: 'token', does: { kind: 'error', status: 503, when: 'before' } };

it('runs now, and checks that the service accepts the stored secret', async () => {
  // A scheduled run may be in progress.
  await expect
    .poll(sync)
    .toEqual({ exitCode: 0, synced: true, alreadyRunning: false, portsLeft: 0, secretChecked: true, simulated: true });
  await expect
    .poll(async () => (await engine.run('sync')).stderr)
    .toContain('The service accepted the secret as it is stored now.');
});

it('doctor examines the service and the queues, and has nothing to do', async () => {
  const { exitCode, stdout } = await engine.run('doctor', '--json');
  const { checks } = doctorJson.parse(JSON.parse(stdout));
  expect(exitCode).toBe(0);
  expect(checks.map(({ check }) => check)).toEqual(expect.arrayContaining(['access', 'page-base', 'dead-letters']));
});

it('exits 1 with the reason when no new token can be obtained, although the functions have a valid one', async () => {
  await setFaults([noToken]);
  // A scheduled run may be in progress.
  let stderr = '';
  const run = async () => {
    const outcome = await engine.run('sync');
    stderr = outcome.stderr;
    return outcome.exitCode === 1 && !stderr.includes('another run');
  };
  await expect.poll(run).toBe(true);
  expect(stderr).toMatch(/^The service could not be called: .*no token: .*503/m);
  expect(stderr).not.toMatch(/Synced|accepted the secret/);
  expect(await sync()).toMatchObject({ exitCode: 1, synced: false, secretChecked: false });
});

it('redrive sync keeps the records of missed runs until a run succeeds', async () => {
  const url = engine.outputs.SyncMissedRunsUrl ?? '';
  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: '{}' }));
  const redrive = async () => {
    const { exitCode, stdout } = await engine.run('redrive', 'sync', '--json');
    const { queues, sync: run } = redriveJson.parse(JSON.parse(stdout));
    return { exitCode, synced: run?.synced, ...queues.find(({ queue }) => queue === 'sync') };
  };
  await setFaults([noToken]);
  expect(await redrive()).toMatchObject({ exitCode: 1, synced: false, deadLettered: 1, redriven: 0 });
  // A scheduled run may be in progress.
  const words = async () => (await engine.run('redrive', 'sync')).stderr;
  await expect.poll(words).toContain('The service could not be called');
  await setFaults([]);
  // A scheduled run may be in progress.
  await expect.poll(redrive).toMatchObject({ exitCode: 0, synced: true, deadLettered: 0, redriven: 1 });
});

/** A person creates a port in the portal. Answers its id. */
async function makeElsewhere(name: string, msisdn: string): Promise<string> {
  const body = {
    name,
    targetNetworkId: 11,
    sourceNetworkId: 1,
    portType: 'Port',
    connectionDate: `${bookableDay(engine.calendar() + 3 * 86_400_000)}T00:00:00`,
    rows: [
      {
        groupName: 'Field team',
        esim: false,
        msisdn,
        serialNo: '8944001011001900761',
        pac: 'ABC123456',
        tariffId: 2001,
        boltOns: [],
        services: [],
        provisioningOrder: 5001,
      },
    ],
  };
  const headers = { authorization, 'content-type': 'application/json' };
  const url = `${baseUrl}/api/porting/${accountNumber(engine.outputs.PortingAccount ?? '')}`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status, await answer.clone().text()).toBe(201);
  return z.string().parse(await answer.json());
}

it('a port that was made elsewhere is listed, adopted, and completes with results', async () => {
  // A port that has ended cannot be adopted: the calendar goes on once it is.
  await engine.changeSpeed(60);
  const portId = await makeElsewhere('Field team', '07700900761');
  const listed = await engine.run('ports', '--foreign', '--json');
  expect(portsJson.parse(JSON.parse(listed.stdout))).toMatchObject({
    ports: [{ portId, name: 'Field team', numbers: ['447700900761'], importId: null }],
  });
  const adopted = await engine.run('adopt', portId, '--because', 'made in the portal', '--json');
  const { importId, adoptedPort } = importJson.parse(JSON.parse(adopted.stdout));
  expect(adoptedPort).toBe(portId);
  const again = await engine.run('adopt', portId);
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining(importId)]);
  expect((await engine.run('ports', '--number', '07700900761')).stdout).toContain(importId);
  await engine.changeSpeed(4 * 86_400);
  await until('the port is complete', async () => {
    await engine.run('sync');
    const { stdout } = await engine.run('status', 'port Field team.csv', '--json');
    return statusJson.parse(JSON.parse(stdout)).state === 'finished' || undefined;
  });
  const { stdout } = await engine.run('results', importId, '--json');
  expect(resultJson.parse(JSON.parse(stdout))).toMatchObject({ outcome: 'complete', portId });
  const declined = await engine.run('adopt', '00000000-0000-4000-8000-000000000000');
  expect([declined.exitCode, declined.stderr]).toEqual([3, expect.stringContaining('the account has no port')]);
});

it('exits 1 while another run is in progress', async () => {
  const leases = createLeases(documentClient(table), engine.outputs.ResultsTable ?? '');
  const until = Date.now() + 150_000;
  await expect.poll(() => leases.take({ name: 'sync', holder: 'another', now: Date.now(), until })).toBe(true);
  const { exitCode, stderr } = await engine.run('sync');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('another run of sync is in progress')]);
  expect(await sync()).toMatchObject({ exitCode: 1, synced: false, alreadyRunning: true });
  await leases.release('sync', 'another');
});

const readActions = async () => actionsJson.parse(JSON.parse((await engine.run('actions', '--json')).stdout));
const readStatus = async () => statusJson.parse(JSON.parse((await engine.run('status', 'one.csv', '--json')).stdout));

it('actions and status show since when the service has been unavailable, and why', async () => {
  await engine.write('one.csv', createPortFile([{ msisdn: '07700900751' }]));
  await engine.run('import', 'one.csv');
  expect([(await readActions()).outage, (await readStatus()).outage]).toEqual([undefined, undefined]);

  await setFaults([{ does: { kind: 'error', status: 503, when: 'before' } }]);
  const { ResultsTable = '', PortingAccount = '' } = engine.outputs;
  const store = createRateLimitStore(documentClient(table), ResultsTable, PortingAccount);
  const failing = await until('the outage is noticed', async () => {
    await engine.run('sync');
    const item = await store.get();
    return item?.outage && item.failing;
  });
  const since = failing?.since ?? '';
  const outage = { since, reason: expect.stringContaining('503'), nextAttemptAt: expect.any(String) };
  expect((await readActions()).outage).toEqual(outage);
  expect((await readStatus()).outage).toEqual(outage);
  for (const words of [['actions'], ['status', 'one.csv']]) {
    const { exitCode, stderr } = await engine.run(...words);
    expect(stderr).toContain(`The service has been unavailable since ${since.slice(0, 16).replace('T', ' ')} UTC`);
    expect(stderr).toContain('503');
    expect(stderr).toMatch(/The next attempt is at \d\d:\d\d:\d\d UTC/);
    if (words[0] === 'actions') expect(exitCode).toBe(1);
  }
});
