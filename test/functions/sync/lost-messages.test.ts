// Fault 6, over HTTP: an upload whose event was lost.
import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMessage } from '#functions/ingest/handler.ts';
import { sweepInbox } from '#functions/sync/lost-messages.ts';
import type { SyncRun } from '#functions/sync/run.ts';
import type { ListedVersion } from '#shared/store/files.ts';
import { double } from '../../support/double.ts';
import { keepingVersions, type ResultsServices, startResultsServices } from '../../support/embedded/services.ts';
import { day, hour, minute } from '../../support/service/simulator.ts';
import { importItemOf, type Rig, startRig } from '../../support/steps/submit-and-sync.ts';
import { clocksOf } from '../../support/steps/test-pipeline.ts';

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
const runOf = (changes: Partial<SyncRun> = {}): SyncRun =>
  rig.runParts({ resources: resourcesOf(inbox), clocks: clocksOf(() => clock), runId: 'run', ...changes });
const resourcesOf = (inboxBucket: string) => ({ ...rig.syncParts().resources, inboxBucket });
const announced = () => services.waiting('ingest').flatMap(({ body }) => readMessage(JSON.stringify(body)).uploads);

test('fault 6: an upload without an import is announced again in the form that ingest reads, and an imported one is not', async () => {
  const lost = await upload('create-port/a+b ü%20.csv');
  await taken('import-a', await upload('create-port/taken.csv'));
  expect(await sweepInbox(runOf())).toBe(1);
  expect(announced()).toMatchObject([{ bucket: inbox, ...lost }]);
});

test('fault 6: an upload that was overwritten before it was imported is announced again with its version', async () => {
  const lost = await upload('create-port/daily.csv', 'msisdn\n07700900001\n');
  await taken('import-b', await upload('create-port/daily.csv', 'msisdn\n07700900002\n'));
  expect(await sweepInbox(runOf())).toBe(1);
  expect(announced()).toMatchObject([lost]);
});

test('another upload with the same key, even with the same bytes, is a separate upload', async () => {
  await taken('import-a', await upload('create-port/again.csv'));
  const lost = await upload('create-port/again.csv');
  expect(await sweepInbox(runOf())).toBe(1);
  expect(announced()).toMatchObject([lost]);
});

test('an upload that was deleted before it was imported is not announced', async () => {
  await upload('create-port/mistake.csv', 'msisdn\n1\n');
  await upload('create-port/mistake.csv', 'msisdn\n2\n');
  await services.s3.send(new DeleteObjectCommand({ Bucket: inbox, Key: 'create-port/mistake.csv' }));
  expect(await sweepInbox(runOf())).toBe(0);
});

test('nothing is announced in a bucket without versions: lost uploads cannot be distinguished there', async () => {
  const bucket = `plain-${randomUUID()}`;
  await services.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await upload('create-port/x.csv', 'msisdn\n', bucket);
  expect(await sweepInbox(runOf({ resources: resourcesOf(bucket) }))).toBe(0);
});

test.each([
  ['too young: it may wait for its turn', () => Date.now() + 20 * minute],
  ['older than a day: it was swept before', () => Date.now() + 2 * day],
])('an upload is not announced that is %s', async (_, now) => {
  await upload('create-port/x.csv');
  expect(await sweepInbox(runOf({ clocks: clocksOf(now) }))).toBe(0);
});

test('a folder marker is not an upload', async () => {
  await upload('create-port/', '');
  expect(await sweepInbox(runOf())).toBe(0);
});

test('the inbox is swept once an hour, whichever run comes first', async () => {
  await upload('create-port/x.csv');
  expect(await sweepInbox(runOf())).toBe(1);
  clock += 59 * minute;
  expect(await sweepInbox(runOf({ runId: 'next' }))).toBe(0);
  clock += minute;
  expect(await sweepInbox(runOf({ runId: 'later' }))).toBe(1);
});

/** Listed as S3 lists them, after the given key: by key, the newest version first. */
const holding = (versions: readonly ListedVersion[]): Pick<SyncRun, 'files'> => ({
  files: double({
    versions: async function* (_, after = '') {
      yield* versions.filter(({ key }) => key > after);
    },
  }),
});
const versionOf = (key: string, age: number): ListedVersion => ({
  bucket: inbox,
  key,
  versionId: `${key} ${age}`,
  etag: 'etag',
  lastModified: new Date(clock - age),
});
const many = (key: string, age: number, count: number) => Array.from({ length: count }, () => versionOf(key, age));
const keys = () => announced().map(({ key }) => key);

test('a large inbox is swept in several sweeps, and then from its start again', async () => {
  const first = versionOf('create-port/a.csv', hour);
  const old = many('create-port/b.csv', 3 * day, 49_999);
  const parts = holding([first, ...old, versionOf('update-port/z.csv', 2 * hour)]);
  expect(await sweepInbox(runOf(parts))).toBe(1);
  expect(keys()).toEqual(['create-port/a.csv']);
  clock += hour;
  expect(await sweepInbox(runOf({ ...parts, runId: 'next' }))).toBe(1);
  expect(keys()).toEqual(['create-port/a.csv', 'update-port/z.csv']);
  clock += hour;
  expect(await sweepInbox(runOf({ ...parts, runId: 'later' }))).toBe(1);
  expect(keys()).toEqual(['create-port/a.csv', 'update-port/z.csv', 'create-port/a.csv']);
});

test('all versions of the last day are listed of a key that is written again and again, and none older', async () => {
  const versions = [
    ...many('create-port/daily.csv', minute, 50_000),
    versionOf('create-port/daily.csv', hour),
    ...many('create-port/daily.csv', 2 * day, 2),
  ];
  const listed: string[] = [];
  let looked = 0;
  const { files } = holding([...versions, versionOf('send-sms/z.csv', hour)]);
  const noting: Pick<SyncRun, 'files'> = {
    files: double({
      versions: async function* (bucket, after) {
        listed.push(after ?? '');
        for await (const version of files.versions(bucket, after)) {
          looked += 1;
          yield version;
        }
      },
    }),
  };
  expect(await sweepInbox(runOf(noting))).toBe(1);
  expect(looked).toBe(50_002);
  clock += hour;
  await sweepInbox(runOf({ ...noting, runId: 'next' }));
  expect(keys()).toEqual(['create-port/daily.csv', 'send-sms/z.csv']);
  expect(listed).toEqual(['', 'create-port/daily.csv']);
});

test('a sweep that could not announce an upload is repeated from its start', async () => {
  const parts = holding([versionOf('create-port/a.csv', hour), ...many('create-port/b.csv', 3 * day, 50_000)]);
  const send = () => Promise.reject(new Error('throttled'));
  await expect(sweepInbox(runOf({ ...parts, queues: { send } }))).rejects.toThrow('throttled');
  clock += hour;
  expect(await sweepInbox(runOf({ ...parts, runId: 'next' }))).toBe(1);
});
