// Fault 6, on the wire: an upload of which nobody was told.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMessage } from '#functions/ingest/handler.ts';
import { type SweepParts, sweepInbox } from '#functions/sync/sweep-inbox.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { day, hour, minute } from '../../support/porting-service.ts';
import { importItemOf, type Rig, silentLog, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;
let clock: number;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  clock = Date.now() + hour;
});

const upload = async (key: string, body = 'msisdn\n'): Promise<string> => {
  const put = await services.s3.send(new PutObjectCommand({ Bucket: services.buckets.inbox, Key: key, Body: body }));
  return (put.ETag ?? '').replaceAll('"', '');
};
const taken = (importId: string, key: string, etag: string, receivedAt = Date.now()) =>
  rig.imports.begin(importItemOf(importId, { key, etag, receivedAt: new Date(receivedAt).toISOString() }));
const partsOf = (changes: Partial<SweepParts> = {}): SweepParts => ({
  leases: rig.leases,
  files: rig.files,
  imports: rig.imports,
  queues: createQueues(services.sqs),
  inboxBucket: services.buckets.inbox,
  ingestQueueUrl: services.ingestQueueUrl,
  account: 1001,
  wall: () => clock,
  runId: 'run',
  remainingMs: () => 60_000,
  log: silentLog,
  ...changes,
});
const announced = () => services.waiting('ingest').flatMap(({ body }) => readMessage(JSON.stringify(body)).uploaded);

test('fault 6: an event got lost, so an upload without an import is announced again as ingest reads it, one that was taken is not', async () => {
  const key = 'create-port/a+b ü%20.csv';
  const etag = await upload(key);
  await taken('import-a', 'create-port/taken.csv', await upload('create-port/taken.csv'));
  expect(await sweepInbox(partsOf())).toBe(1);
  expect(announced()).toMatchObject([{ bucket: services.buckets.inbox, key, etag }]);
});

test('another upload under the same key, even of the same bytes, is another one', async () => {
  const etag = await upload('create-port/again.csv');
  await taken('import-a', 'create-port/again.csv', etag, Date.now() - 10 * minute);
  await taken('import-b', 'create-port/other.csv', await upload('create-port/other.csv', 'new\n'), Date.now() + minute);
  expect(await sweepInbox(partsOf())).toBe(1);
  expect(announced().map(({ key }) => key)).toEqual(['create-port/again.csv']);
});

test.each([
  ['too young: it may wait for its turn', () => Date.now() + 20 * minute],
  ['older than a day: it was swept before', () => Date.now() + 2 * day],
])('an upload is left alone that is %s', async (_, now) => {
  await upload('create-port/x.csv');
  expect(await sweepInbox(partsOf({ wall: now }))).toBe(0);
});

test('a folder that somebody made is no upload', async () => {
  await upload('create-port/', '');
  expect(await sweepInbox(partsOf())).toBe(0);
});

test('the inbox is swept once an hour, whatever run comes', async () => {
  await upload('create-port/x.csv');
  expect(await sweepInbox(partsOf())).toBe(1);
  clock += 59 * minute;
  expect(await sweepInbox(partsOf({ runId: 'next' }))).toBe(0);
  clock += minute;
  expect(await sweepInbox(partsOf({ runId: 'later' }))).toBe(1);
});
