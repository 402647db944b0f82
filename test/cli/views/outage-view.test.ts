// An outage of the service in `actions` and `status`, read from the item that all functions share.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { actionsJson, statusJson } from '#cli/json-shapes.ts';
import { newRateLimit } from '#shared/domain/requests/rate-limit.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createRateLimitStore, type RateLimitStore } from '#shared/store/tables/rate-limit-state.ts';
import { type CliEmulator, startCliEmulator } from '../../support/cli-emulator.ts';
import { createPortFile } from '../../support/cli-files.ts';
import { until } from '../../support/pipeline-process.ts';

const since = '2026-07-06T09:00:00.000Z';
const outage = { since, reason: '503 service unavailable' };
let engine: CliEmulator;
let table: DynamoDBClient;
let store: RateLimitStore;

beforeAll(async () => {
  engine = await startCliEmulator(21_600);
  table = new DynamoDBClient({ endpoint: engine.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '' });
  store = createRateLimitStore(
    documentClient(table),
    engine.outputs.ResultsTable ?? '',
    Number(engine.outputs.ServiceAccountId),
  );
  await engine.write('one.csv', createPortFile([{ msisdn: '07700900751' }]));
  // A call that succeeds ends an outage, so the tests begin when no call is left to make.
  await engine.run('import', 'one.csv', '--watch');
});
afterAll(async () => {
  table?.destroy();
  await engine?.stop();
});

const readActions = async () => actionsJson.parse(JSON.parse((await engine.run('actions', '--json')).stdout));
const readStatus = async () => statusJson.parse(JSON.parse((await engine.run('status', 'one.csv', '--json')).stdout));

/** The next probe is far away, so the outage lasts. */
const recordOutage = () =>
  until('the outage is recorded', async () => {
    const seen = await store.get();
    const down = { probes: 1, nextProbeAt: '2999-01-01T00:00:00.000Z' };
    const failing = { since, times: 5, because: outage.reason };
    return (await store.replace(seen, { ...(seen ?? newRateLimit(Date.now())), failing, outage: down })) || undefined;
  });

it('an available service is not mentioned', async () => {
  expect((await readActions()).outage).toBeUndefined();
  expect((await readStatus()).outage).toBeUndefined();
});

it('actions and status show since when the service has been unavailable, and why', async () => {
  await recordOutage();
  expect((await readActions()).outage).toEqual(outage);
  expect((await readStatus()).outage).toEqual(outage);
  for (const words of [['actions'], ['status', 'one.csv']]) {
    const { exitCode, stderr } = await engine.run(...words);
    expect(stderr).toContain('The service has been unavailable since 2026-07-06 09:00');
    expect(stderr).toContain(outage.reason);
    if (words[0] === 'actions') expect(exitCode).toBe(1);
  }
});
