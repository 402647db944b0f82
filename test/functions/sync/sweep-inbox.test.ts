// Fault 6, on the wire: an upload of which nobody was told.
import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMessage } from '#functions/ingest/handler.ts';
import { type SweepParts, sweepInbox } from '#functions/sync/sweep-inbox.ts';
import type { ListedVersion } from '#shared/aws/object-versions.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { day, hour, minute } from '../../support/porting-service.ts';
import { importItemOf, type Rig, silentLog, startRig } from '../../support/results-rig.ts';
import { keepingVersions, type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;
let clock: number;
let inbox: string;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  clock = Date.now() + hour;
  inbox = `inbox-${randomUUID()}`;
  await services.s3.send(new CreateBucketCommand({ Bucket: inbox }));
  await services.s3.send(keepingVersions(inbox));
});

interface Uploaded {
  readonly key: string;
  readonly etag: string;
  readonly versionId: string | undefined;
}
const upload = async (key: string, body = 'msisdn\n', bucket = inbox): Promise<Uploaded> => {
  const put = await services.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  return { key, etag: (put.ETag ?? '').replaceAll('"', ''), versionId: put.VersionId };
};
const taken = (importId: string, uploaded: Uploaded) =>
  rig.imports.begin(importItemOf(importId, { ...uploaded, receivedAt: new Date().toISOString() }));
const partsOf = (changes: Partial<SweepParts> = {}): SweepParts => ({
  leases: rig.leases,
  files: rig.files,
  imports: rig.imports,
  queues: createQueues(services.sqs),
  inboxBucket: inbox,
  ingestQueueUrl: services.ingestQueueUrl,
  account: 1001,
  wall: () => clock,
  runId: 'run',
  remainingMs: () => 60_000,
  onUnreadable: () => {},
  log: silentLog,
  ...changes,
});
const announced = () => services.waiting('ingest').flatMap(({ body }) => readMessage(JSON.stringify(body)).uploaded);

test('fault 6: an event got lost, so an upload without an import is announced again as ingest reads it, one that was taken is not', async () => {
  const lost = await upload('create-port/a+b ü%20.csv');
  await taken('import-a', await upload('create-port/taken.csv'));
  expect(await sweepInbox(partsOf())).toBe(1);
  expect(announced()).toMatchObject([{ bucket: inbox, ...lost }]);
});

test('fault 6: an upload that was overwritten before anybody took it is announced again, in its own version', async () => {
  const lost = await upload('create-port/daily.csv', 'msisdn\n07700900001\n');
  await taken('import-b', await upload('create-port/daily.csv', 'msisdn\n07700900002\n'));
  expect(await sweepInbox(partsOf())).toBe(1);
  expect(announced()).toMatchObject([lost]);
});

test('another upload under the same key, even of the same bytes, is another one', async () => {
  await taken('import-a', await upload('create-port/again.csv'));
  const lost = await upload('create-port/again.csv');
  expect(await sweepInbox(partsOf())).toBe(1);
  expect(announced()).toMatchObject([lost]);
});

test('an upload that somebody deleted before it was taken is taken back', async () => {
  await upload('create-port/mistake.csv', 'msisdn\n1\n');
  await upload('create-port/mistake.csv', 'msisdn\n2\n');
  await services.s3.send(new DeleteObjectCommand({ Bucket: inbox, Key: 'create-port/mistake.csv' }));
  expect(await sweepInbox(partsOf())).toBe(0);
});

test('a bucket without versions is left alone: what its event began cannot be told from what is lost', async () => {
  const bucket = `plain-${randomUUID()}`;
  await services.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await upload('create-port/x.csv', 'msisdn\n', bucket);
  expect(await sweepInbox(partsOf({ inboxBucket: bucket }))).toBe(0);
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

/** Listed as S3 lists them, from the key that is given: by key, the newest first. */
const holding = (versions: readonly ListedVersion[]): Pick<SweepParts, 'files'> => ({
  files: {
    versions: async function* (_, after = '') {
      yield* versions.filter(({ key }) => key > after);
    },
  },
});
const versionOf = (key: string, age: number): ListedVersion => ({
  ...{ bucket: inbox, key, versionId: `${key} ${age}`, etag: 'etag' },
  lastModified: new Date(clock - age),
});
const many = (key: string, age: number, count: number) => Array.from({ length: count }, () => versionOf(key, age));
const keys = () => announced().map(({ key }) => key);

test('an inbox of more versions than one sweep looks at is swept in turns, and then from its start again', async () => {
  const first = versionOf('create-port/a.csv', hour);
  const old = many('create-port/b.csv', 3 * day, 49_999);
  const parts = holding([first, ...old, versionOf('update-port/z.csv', 2 * hour)]);
  expect(await sweepInbox(partsOf(parts))).toBe(1);
  expect(keys()).toEqual(['create-port/a.csv']);
  clock += hour;
  expect(await sweepInbox(partsOf({ ...parts, runId: 'next' }))).toBe(1);
  expect(keys()).toEqual(['create-port/a.csv', 'update-port/z.csv']);
  clock += hour;
  expect(await sweepInbox(partsOf({ ...parts, runId: 'later' }))).toBe(1);
  expect(keys()).toEqual(['create-port/a.csv', 'update-port/z.csv', 'create-port/a.csv']);
});

test('of one key that is always written again everything of the last day is looked at, and nothing older', async () => {
  const versions = [
    ...many('create-port/daily.csv', minute, 50_000),
    versionOf('create-port/daily.csv', hour),
    ...many('create-port/daily.csv', 2 * day, 2),
  ];
  const listed: string[] = [];
  let looked = 0;
  const { files } = holding([...versions, versionOf('send-sms/z.csv', hour)]);
  const noting: Pick<SweepParts, 'files'> = {
    files: {
      versions: async function* (bucket, after) {
        listed.push(after ?? '');
        for await (const version of files.versions(bucket, after)) {
          looked += 1;
          yield version;
        }
      },
    },
  };
  expect(await sweepInbox(partsOf(noting))).toBe(1);
  expect(looked).toBe(50_002);
  clock += hour;
  await sweepInbox(partsOf({ ...noting, runId: 'next' }));
  expect(keys()).toEqual(['create-port/daily.csv', 'send-sms/z.csv']);
  expect(listed).toEqual(['', 'create-port/daily.csv']);
});

test('a sweep that could not announce what it found is done again from where it began', async () => {
  const parts = holding([versionOf('create-port/a.csv', hour), ...many('create-port/b.csv', 3 * day, 50_000)]);
  const send = () => Promise.reject(new Error('throttled'));
  await expect(sweepInbox(partsOf({ ...parts, queues: { send } }))).rejects.toThrow('throttled');
  clock += hour;
  expect(await sweepInbox(partsOf({ ...parts, runId: 'next' }))).toBe(1);
});
