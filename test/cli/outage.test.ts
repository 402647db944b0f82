// An outage as people are told of it: over the wire, from the item that all functions share.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attentionJson, statusJson } from '#cli/json-shapes.ts';
import { documentClient } from '#shared/aws/clients.ts';
import { createPaceStore, type PaceStore } from '#shared/aws/pace-store.ts';
import { freshPace } from '#shared/domain/pace.ts';
import { type CommandLineEngine, startCommandLineEngine } from '../support/cli-engine.ts';
import { createPortFile } from '../support/cli-files.ts';
import { until } from '../support/pipeline-process.ts';

const since = '2026-07-06T09:00:00.000Z';
const outage = { since, because: '503 service unavailable' };
let engine: CommandLineEngine;
let table: DynamoDBClient;
let store: PaceStore;

beforeAll(async () => {
  engine = await startCommandLineEngine(21_600);
  table = new DynamoDBClient({ endpoint: engine.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '' });
  store = createPaceStore(
    documentClient(table),
    engine.outputs.ResultsTable ?? '',
    Number(engine.outputs.ServiceAccountId),
  );
  await engine.write('one.csv', createPortFile([{ msisdn: '07700900751' }]));
  await engine.run('import', 'one.csv');
});
afterAll(async () => {
  table?.destroy();
  await engine?.stop();
});

const attention = async () => attentionJson.parse(JSON.parse((await engine.run('attention', '--json')).stdout));
const status = async () => statusJson.parse(JSON.parse((await engine.run('status', 'one.csv', '--json')).stdout));

/** The next probe is far away, so nobody finds out that the service is well. */
const goDown = () =>
  until('the service is down', async () => {
    const seen = await store.get();
    const down = { probes: 1, nextProbeAt: '2999-01-01T00:00:00.000Z' };
    const failing = { since, times: 5, because: outage.because };
    return (await store.replace(seen, { ...(seen ?? freshPace(Date.now())), failing, outage: down })) || undefined;
  });

it('a service that is well is not spoken of', async () => {
  expect((await attention()).outage).toBeUndefined();
  expect((await status()).outage).toBeUndefined();
});

it('attention and status say since when the service has been down, and why', async () => {
  await goDown();
  expect((await attention()).outage).toEqual(outage);
  expect((await status()).outage).toEqual(outage);
  for (const words of [['attention'], ['status', 'one.csv']]) {
    const { exitCode, stderr } = await engine.run(...words);
    expect(stderr).toContain('The service has been down since 2026-07-06 09:00');
    expect(stderr).toContain(outage.because);
    if (words[0] === 'attention') expect(exitCode).toBe(1);
  }
});
