// Who may approve whose file, for every way to upload a file and every way to approve its plan: one answer.
import { type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import type { QueueName } from '#shared/api/agreed-names.ts';
import { type ApprovalMode, approvalModes } from '#shared/import/approval.ts';
import { createMultipartUploads } from '#shared/store/browser-files.ts';
import { put, settle } from '../../../chaos/drive.ts';
import { buckets, queueUrl } from '../../../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../../chaos/scenario.ts';
import { type ApiWorld, person, startApiWorld } from '../../../support/api/simulated-api.ts';

/** In the console, and with AWS credentials: nobody can know that one person has both. */
const anna = { console: person('anna@example.com', 'operator'), aws: 'AROASSO:anna' };
const ben = { console: person('ben@example.com', 'operator'), aws: 'AROASSO:ben' };
type Someone = typeof anna;
const apiRole = 'AROAAPI:api-write';
const text = csvTextOf(rowsFrom(0, ['ABC123456']));

interface Uploaded {
  readonly key: string;
  readonly etag?: string | undefined;
  readonly version?: string | undefined;
}

/** The event of the object, with the uploader that AWS names. Nobody but S3 may send to the queue of ingest. */
async function announce(
  api: ApiWorld,
  { key, etag, version }: Uploaded,
  principal: string,
  name = 'ingest' as QueueName,
) {
  const object = { key: encodeURIComponent(key), eTag: etag ?? 'e', versionId: version };
  const record = { userIdentity: { principalId: `AWS:${principal}` }, s3: { bucket: { name: buckets.inbox }, object } };
  api.world.queue.add(queueUrl(name), { Records: [record] });
  await settle(api.world);
}

/** All parts have arrived. */
async function beginInConsole(api: ApiWorld, { console: as }: Someone, content = text, settings = {}) {
  const file = { operation: 'create-port', fileName: 'july.csv', bytes: Buffer.byteLength(content), ...settings };
  const { uploadId } = (await api.call('POST', '/uploads', { body: file, as })).body;
  const { links } = (await api.call('POST', `/uploads/${uploadId}/links`, { body: { parts: [1] }, as })).body;
  const { pathname, searchParams } = new URL(links[0].url);
  const place = { bucket: buckets.inbox, key: pathname.slice(1), s3UploadId: searchParams.get('uploadId') ?? '' };
  const part = { Bucket: place.bucket, Key: place.key, UploadId: place.s3UploadId, PartNumber: 1 };
  await api.world.bucket.send(new UploadPartCommand({ ...part, Body: Buffer.from(content) }));
  return { uploadId: uploadId as string, place };
}

/** How a file arrives; a link is signed with the credentials of the person who made it. */
const uploads: Readonly<Record<string, (api: ApiWorld, who: Someone) => Promise<void>>> = {
  'an S3 client': async (api, { aws }) => announce(api, await put('plan/create-port/july.csv', text, api.world), aws),
  'a link': async (api, { aws }) => announce(api, await put('plan/create-port/link.csv', text, api.world), aws),
  'the command line': async (api, { aws }) => {
    await announce(api, await put('create-port/july.csv', text, api.world), aws);
  },
  'the console': async (api, who) => {
    const { uploadId } = await beginInConsole(api, who);
    await api.call('POST', `/uploads/${uploadId}/complete`, { as: who.console });
    const [object] = api.world.bucket.written(buckets.inbox);
    await announce(api, { key: object?.key ?? '', version: object?.versionId }, apiRole);
  },
  'a forged event': async (api) => {
    const object = await put('plan/create-port/july.csv', text, api.world);
    await announce(api, object, 'AIDASOMEBODY', 'command');
  },
};

const importOf = async (api: ApiWorld) =>
  (await api.call('GET', `/imports/${(await api.call('GET', '/imports?limit=1')).body.imports[0].importId}`)).body;

const approvals: Readonly<Record<string, (api: ApiWorld, who: Someone) => Promise<void>>> = {
  'the console': async (api, { console: as }) => {
    const { importId } = await importOf(api);
    const { planHash } = (await api.call('GET', `/imports/${importId}/plan`, { as })).body;
    await api.call('POST', `/imports/${importId}/approve`, { body: { planHash }, as });
    await settle(api.world);
  },
  'the command line or the queue': async (api, { aws }) => approveByQueue(api, aws),
  'a message that names another person of the console': async (api, { aws }) =>
    approveByQueue(api, aws, { actorId: 'id-of-somebody' }),
};

async function approveByQueue(api: ApiWorld, sender: string, claims = {}) {
  const { importId } = await importOf(api);
  const { planHash: plan } = (await api.call('GET', `/imports/${importId}/plan`)).body;
  api.world.queue.add(queueUrl('command'), { approve: importId, plan, ...claims }, 0, sender);
  await settle(api.world);
}

/** Of a second person; the uploader may never. */
const secondPersonMay = new Set([
  'an S3 client, the command line or the queue',
  'a link, the command line or the queue',
  'the command line, the command line or the queue',
  'the console, the console',
]);

const pairs = Object.keys(uploads).flatMap((upload) =>
  Object.keys(approvals).map((approval) => ({ upload, approval })),
);

async function run(mode: ApprovalMode, upload: string, approval: string, approver: Someone) {
  const api = startApiWorld({ settings: { approval: mode } });
  await uploads[upload]?.(api, anna);
  const before = await importOf(api);
  if (before.state === 'planned') await approvals[approval]?.(api, approver);
  return { before, after: await importOf(api), ports: api.world.network.ports().length };
}

describe.each(approvalModes)('approval: %s', (mode) => {
  test.each(pairs)('a file from $upload, approved by $approval', async ({ upload, approval }) => {
    const sentAtOnce = mode === 'upload' && upload === 'the command line';
    for (const approver of [anna, ben]) {
      const { before, after, ports } = await run(mode, upload, approval, approver);
      const isSecond = approver === ben && secondPersonMay.has(`${upload}, ${approval}`);
      const isSent = sentAtOnce || mode !== 'two' || isSecond;

      expect(before.state).toBe(sentAtOnce ? 'in-progress' : 'planned');
      expect({ isSent, ports }).toEqual({ isSent, ports: isSent ? 1 : 0 });
      if (!isSent && approval !== 'the console') {
        expect(after.declinedApproval.reason).toMatch(/second person|cannot approve it|not known who/);
      }
    }
  });
});

test('the plan shows in the console why the person may not approve it', async () => {
  const api = startApiWorld({ settings: { approval: 'two' } });
  await uploads['the console']?.(api, anna);
  const { importId } = await importOf(api);
  const reasonFor = async ({ console: as }: Someone) =>
    (await api.call('GET', `/imports/${importId}/plan`, { as })).body.reasonNotToApprove;

  expect(await reasonFor(anna)).toBe('Who uploaded the file, or wrote a part of what it sends, cannot approve it');
  expect(await reasonFor(ben)).toBeNull();
});

describe('an upload whose completion was cut off after S3 had the file', () => {
  const cutOff = async () => {
    const api = startApiWorld({ settings: { approval: 'two' } });
    const { uploadId, place } = await beginInConsole(api, anna);
    const multipart = createMultipartUploads(api.world.bucket as unknown as S3Client);
    await multipart.complete(place, (await multipart.parts(place)) ?? []);
    const [object] = api.world.bucket.written(buckets.inbox);
    await announce(api, { key: object?.key ?? '', version: object?.versionId }, apiRole);
    return { api, uploadId };
  };

  test('cannot be approved by anybody, because its uploader is not known', async () => {
    const { api } = await cutOff();
    for (const approve of Object.values(approvals)) await approve(api, ben);
    expect(await importOf(api)).toMatchObject({ state: 'planned' });
  });

  test('is found by the repeated completion, and a second person may approve it', async () => {
    const { api, uploadId } = await cutOff();
    const { importId } = await importOf(api);
    const repeated = await api.call('POST', `/uploads/${uploadId}/complete`, { as: anna.console });
    expect(repeated.body).toMatchObject({ importId });
    await approvals['the console']?.(api, anna);
    expect(await importOf(api)).toMatchObject({ state: 'planned' });
    await approvals['the console']?.(api, ben);
    expect(api.world.network.ports()).toHaveLength(1);
  });
});
