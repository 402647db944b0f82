// The embedded S3 over HTTP, called by the real SDK.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Served, serveS3 } from '../../support/local-services.ts';

const bucket = 'inbox';
let directory: string;
let s3: Served;
let client: S3Client;
let delivered: { arn: string; body: Record<string, unknown> }[];

const start = async () => {
  s3 = await serveS3({
    directory,
    clock: () => Date.UTC(2026, 5, 1, 9),
    deliver: async (arn, body) => void delivered.push({ arn, body: JSON.parse(body) }),
    log: (line) => console.error(line),
  });
  client = new S3Client({
    endpoint: s3.url,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
};

beforeEach(async () => {
  delivered = [];
  directory = await mkdtemp(join(tmpdir(), 'simporter-s3-'));
  await start();
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
});
afterEach(async () => {
  client.destroy();
  await s3.stop();
  await rm(directory, { recursive: true });
});

const put = (key: string, body: string | Buffer, more: object = {}) =>
  client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ...more }));
const get = async (key: string, more: object = {}) => {
  const { Body, ...rest } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...more }));
  return { text: await Body?.transformToString(), ...rest };
};
const notify = (rule: { Prefix?: string; Suffix?: string }) =>
  client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket: bucket,
      NotificationConfiguration: {
        QueueConfigurations: [
          {
            QueueArn: 'arn:aws:sqs:eu-west-2:000000000000:ingest',
            Events: ['s3:ObjectCreated:*'],
            Filter: {
              Key: {
                FilterRules: Object.entries(rule).map(([name, value]) => ({
                  Name: name === 'Prefix' ? 'prefix' : 'suffix',
                  Value: value,
                })),
              },
            },
          },
        ],
      },
    }),
  );

describe('objects', () => {
  test('are returned with their bytes, type and metadata', async () => {
    await put('a/b.csv', 'msisdn\n447700900123\n', { ContentType: 'text/csv', Metadata: { tariff: '7' } });

    const object = await get('a/b.csv');

    expect(object.text).toBe('msisdn\n447700900123\n');
    expect(object.ContentType).toBe('text/csv');
    expect(object.Metadata).toEqual({ tariff: '7' });
  });

  test.each(['a+b%20ü.csv', 'folder with space/&<>"\'.csv', '../../escape', '%2e%2e/x', 'emoji 😀'])(
    'keep the key %s as it is',
    async (key) => {
      await put(key, 'x');

      const listed = await client.send(new ListObjectsV2Command({ Bucket: bucket }));

      expect((await get(key)).text).toBe('x');
      expect(listed.Contents?.map(({ Key }) => Key)).toEqual([key]);
    },
  );

  test('may be empty', async () => {
    await put('empty', Buffer.alloc(0));

    expect((await get('empty')).text).toBe('');
  });

  test('are read in ranges, of the ETag that If-Match names', async () => {
    const { ETag } = await put('plan', '0123456789');

    const part = await get('plan', { Range: 'bytes=2-4', IfMatch: ETag });
    const tail = await get('plan', { Range: 'bytes=-3' });

    expect(part.text).toBe('234');
    expect(part.ContentRange).toBe('bytes 2-4/10');
    expect(tail.text).toBe('789');
    await expect(get('plan', { Range: 'bytes=10-' })).rejects.toMatchObject({ name: 'InvalidRange' });
    await put('plan', 'changed');
    await expect(get('plan', { Range: 'bytes=2-4', IfMatch: ETag })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
  });

  test('are written only once with If-None-Match', async () => {
    await put('once', 'first', { IfNoneMatch: '*' });

    await expect(put('once', 'second', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    expect((await get('once')).text).toBe('first');
  });

  test('that are missing are NoSuchKey, and a HEAD of one is 404', async () => {
    await expect(get('missing')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'missing' }))).rejects.toMatchObject({
      name: 'NotFound',
    });
  });

  test('that are missing have an error without a namespace, whose code boto3 and the AWS CLI can read', async () => {
    const response = await fetch(`${s3.url}/${bucket}/missing`);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code>' +
        '<Message>The specified key does not exist.</Message><Resource>/inbox/missing</Resource>' +
        `<RequestId>${response.headers.get('x-amz-request-id')}</RequestId><HostId>local</HostId></Error>`,
    );
  });

  test('are declined when the checksum does not match, and nothing is stored', async () => {
    await expect(put('bad', 'bytes', { ChecksumSHA256: Buffer.alloc(32).toString('base64') })).rejects.toMatchObject({
      name: 'BadDigest',
    });
    await expect(get('bad')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('are kept over a restart', async () => {
    await put('kept', 'here');
    await s3.stop();
    client.destroy();

    await start();

    expect((await get('kept')).text).toBe('here');
  });

  test('that a crash left half written are removed at the next start', async () => {
    await put('kept', 'here');
    await s3.stop();
    client.destroy();
    await writeFile(join(directory, 'objects', 'half-written'), 'by');

    await start();

    expect(await readdir(join(directory, 'objects'))).toHaveLength(1);
    expect((await get('kept')).text).toBe('here');
  });

  test('are listed by prefix, folder and page', async () => {
    for (const key of ['a/1', 'a/2', 'b/1', 'c', 'a/3/x']) await put(key, 'x');

    const folders = await client.send(new ListObjectsV2Command({ Bucket: bucket, Delimiter: '/' }));
    const first = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'a/', MaxKeys: 2 }));
    const second = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: 'a/', ContinuationToken: first.NextContinuationToken }),
    );

    expect(folders.CommonPrefixes?.map(({ Prefix }) => Prefix)).toEqual(['a/', 'b/']);
    expect(folders.Contents?.map(({ Key }) => Key)).toEqual(['c']);
    expect(first.Contents?.map(({ Key }) => Key)).toEqual(['a/1', 'a/2']);
    expect(second.Contents?.map(({ Key }) => Key)).toEqual(['a/3/x']);
    expect(second.IsTruncated).toBe(false);
  });
});

describe('versions', () => {
  beforeEach(() =>
    client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } })),
  );

  test('of an overwritten object stay readable by their id', async () => {
    const { VersionId } = await put('file.csv', 'old');
    await put('file.csv', 'new');

    expect((await get('file.csv')).text).toBe('new');
    expect((await get('file.csv', { VersionId })).text).toBe('old');
  });

  test('are kept when the object is deleted, which only hides it', async () => {
    const { VersionId } = await put('file.csv', 'old');
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'file.csv' }));

    await expect(get('file.csv')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect((await client.send(new ListObjectsV2Command({ Bucket: bucket }))).KeyCount).toBe(0);
    expect((await get('file.csv', { VersionId })).text).toBe('old');
  });

  test('are listed by key, newest first, with delete markers, by prefix and page', async () => {
    const { VersionId: older } = await put('a/1', 'old');
    const { VersionId: newer } = await put('a/1', 'new');
    const { VersionId: gone } = await put('a/2 &ü', 'gone');
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'a/2 &ü' }));
    await put('b', 'elsewhere');
    const list = (more: object) =>
      client.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: 'a/', MaxKeys: 1, ...more }));

    const pages = [await list({})];
    for (let last = pages[0]; last?.IsTruncated; last = pages.at(-1)) {
      pages.push(await list({ KeyMarker: last.NextKeyMarker, VersionIdMarker: last.NextVersionIdMarker }));
    }

    const versions = pages.flatMap(({ Versions = [] }) => Versions);
    expect(versions.map(({ Key, VersionId, IsLatest }) => [Key, VersionId, IsLatest])).toEqual([
      ['a/1', newer, true],
      ['a/1', older, false],
      ['a/2 &ü', gone, false],
    ]);
    expect(pages.map(({ DeleteMarkers = [] }) => DeleteMarkers.length)).toEqual([0, 0, 1, 0]);
    expect(pages[2]?.DeleteMarkers).toMatchObject([{ Key: 'a/2 &ü', IsLatest: true }]);
    expect((await list({ KeyMarker: 'a/1' })).DeleteMarkers).toMatchObject([{ Key: 'a/2 &ü' }]);
    await expect(list({ KeyMarker: 'a/1', VersionIdMarker: 'none' })).rejects.toMatchObject({
      name: 'InvalidArgument',
    });
    await expect(list({ Delimiter: '/' })).rejects.toMatchObject({ name: 'NotImplemented' });
  });
});

describe('large objects', () => {
  test('are uploaded in parts as a stream and read back in ranges across the parts', async () => {
    const bytes = randomBytes(17_000_000);
    const upload = new Upload({ client, params: { Bucket: bucket, Key: 'large', Body: bytes }, partSize: 5_242_880 });
    await upload.done();

    const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'large' }));
    const across = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: 'large', Range: 'bytes=5242870-10485770' }),
    );

    expect(head.ContentLength).toBe(bytes.length);
    expect(head.ETag).toMatch(/-4"$/);
    expect(
      Buffer.from((await across.Body?.transformToByteArray()) ?? []).equals(bytes.subarray(5_242_870, 10_485_771)),
    ).toBe(true);
  });
});

test('a part of an upload may be a copy of a range of an object', async () => {
  await put('source', `${'x'.repeat(5_242_880)}0123456789`);
  const target = { Bucket: bucket, Key: 'copy' };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const copy = (PartNumber: number, CopySourceRange: string) =>
    client.send(
      new UploadPartCopyCommand({ ...target, UploadId, PartNumber, CopySource: `${bucket}/source`, CopySourceRange }),
    );

  const parts = [await copy(1, 'bytes=0-5242879'), await copy(2, 'bytes=5242882-5242884')];
  const Parts = parts.map(({ CopyPartResult }, index) => ({ PartNumber: index + 1, ETag: CopyPartResult?.ETag }));
  await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }));

  expect((await get('copy', { Range: 'bytes=5242879-' })).text).toBe('x234');
});

describe('an operation that is not implemented', () => {
  test('is declined by name and leaves the object alone', async () => {
    await put('tagged', 'bytes');

    await expect(client.send(new GetObjectTaggingCommand({ Bucket: bucket, Key: 'tagged' }))).rejects.toMatchObject({
      name: 'NotImplemented',
      message: expect.stringContaining('tagging'),
    });
    expect((await get('tagged')).text).toBe('bytes');
  });
});

describe('notifications', () => {
  test('fault 4: the key a+b%20ü.csv arrives URL-encoded, and decodes once to itself', async () => {
    await notify({ Prefix: 'create-port/' });
    delivered = [];

    await put('create-port/a+b%20ü.csv', 'x');

    const [key = ''] = delivered.flatMap(({ body }) =>
      (body.Records as { s3: { object: { key: string } } }[]).map(({ s3: { object } }) => object.key),
    );
    expect(key).toBe('create-port/a%2Bb%2520%C3%BC.csv');
    expect(decodeURIComponent(key.replaceAll('+', ' '))).toBe('create-port/a+b%20ü.csv');
  });

  test("have the shape of S3's own", async () => {
    await notify({});
    delivered = [];

    const { ETag } = await put('one two.csv', 'x');

    expect(delivered).toEqual([
      {
        arn: 'arn:aws:sqs:eu-west-2:000000000000:ingest',
        body: {
          Records: [
            expect.objectContaining({
              eventVersion: '2.1',
              eventSource: 'aws:s3',
              eventTime: '2026-06-01T09:00:00.000Z',
              eventName: 'ObjectCreated:Put',
              s3: expect.objectContaining({
                bucket: expect.objectContaining({ name: bucket, arn: 'arn:aws:s3:::inbox' }),
                object: { key: 'one+two.csv', size: 1, eTag: ETag?.replaceAll('"', ''), sequencer: expect.any(String) },
              }),
            }),
          ],
        },
      },
    ]);
  });

  test('begin with a test event, once for each configuration', async () => {
    await notify({});
    await notify({});

    expect(delivered.map(({ body }) => body.Event)).toEqual(['s3:TestEvent']);
  });

  test('are sent for copies and completed uploads too, and only where prefix and suffix match', async () => {
    await notify({ Prefix: 'in/', Suffix: '.csv' });
    delivered = [];

    await put('other/a.csv', 'x');
    await put('in/a.txt', 'x');
    await client.send(
      new CopyObjectCommand({ Bucket: bucket, Key: 'in/copy.csv', CopySource: `${bucket}/other/a.csv` }),
    );
    await new Upload({
      client,
      params: { Bucket: bucket, Key: 'in/large.csv', Body: Buffer.alloc(6_000_000) },
      partSize: 5_242_880,
    }).done();

    expect(delivered.map(({ body }) => (body.Records as { eventName: string }[])[0]?.eventName)).toEqual([
      'ObjectCreated:Copy',
      'ObjectCreated:CompleteMultipartUpload',
    ]);
  });
});
