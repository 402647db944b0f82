// simporter sync tells what a run came to: nobody withdraws an old secret, or clears the records of missed runs, on a run that
// did nothing. The service's own faults stand for a service that is down, and for a secret that it does not take.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { redriveJson, syncJson } from '#cli/json-shapes.ts';
import { documentClient } from '#shared/aws/clients.ts';
import { createLeases } from '#shared/aws/leases.ts';
import { type CommandLineEngine, startCommandLineEngine } from '../support/cli-engine.ts';

let engine: CommandLineEngine;
let sqs: SQSClient;
let table: DynamoDBClient;
let baseUrl: string;
let authorization: string;

beforeAll(async () => {
  engine = await startCommandLineEngine(21_600, { sandbox: true });
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
  if (service === undefined) throw new Error('the engine has no service');
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

it('runs it now, and has the service take the secret as it is stored', async () => {
  // The schedule's own run may be at work.
  await expect
    .poll(sync, { timeout: 30_000 })
    .toEqual({ exitCode: 0, synced: true, skipped: false, left: 0, secretChecked: true });
  expect((await engine.run('sync')).stderr).toContain('The service took the secret as it is stored now.');
});

it('ends with 1 and says why where no new token is to be had, though the functions have one that is good', async () => {
  await setFaults([noToken]);
  const { exitCode, stderr } = await engine.run('sync');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^The service could not be asked: .*no token: .*503/m);
  expect(stderr).not.toMatch(/Synced|took the secret/);
  expect(await sync()).toMatchObject({ exitCode: 1, synced: false, secretChecked: false });
});

it('redrive sync keeps the records of missed runs until a run has gone well', async () => {
  const url = engine.outputs.SyncMissedRunsUrl ?? '';
  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: '{}' }));
  const redrive = async () => {
    const { exitCode, stdout } = await engine.run('redrive', 'sync', '--json');
    const { queues, sync: run } = redriveJson.parse(JSON.parse(stdout));
    return { exitCode, synced: run?.synced, ...queues.find(({ queue }) => queue === 'sync') };
  };
  await setFaults([noToken]);
  expect(await redrive()).toMatchObject({ exitCode: 1, synced: false, putAside: 1, givenBack: 0 });
  expect((await engine.run('redrive', 'sync')).stderr).toContain('The service could not be asked');
  await setFaults([]);
  expect(await redrive()).toMatchObject({ exitCode: 0, synced: true, putAside: 0, givenBack: 1 });
});

it('ends with 1 where another run is at work', async () => {
  const leases = createLeases(documentClient(table), engine.outputs.ResultsTable ?? '');
  const until = new Date(Date.now() + 600_000).toISOString();
  await expect
    .poll(() => leases.take('sync', 'another', new Date().toISOString(), until), { timeout: 30_000 })
    .toBe(true);
  const { exitCode, stderr } = await engine.run('sync');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('another run is at work')]);
  expect(await sync()).toMatchObject({ exitCode: 1, synced: false, skipped: true });
  await leases.release('sync', 'another');
});
