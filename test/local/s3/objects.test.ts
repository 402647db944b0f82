// Objects of the embedded S3.
import { once } from 'node:events';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
} from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, test } from 'vitest';
import { bucket, client, directory, get, put, s3, start, useServedS3 } from '../../support/embedded/s3.ts';

useServedS3();

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

  test.each([
    ['its type', { ContentType: 'text/html' }],
    ['its disposition', { ContentType: 'text/html', ContentDisposition: 'inline' }],
  ])('are saved by a browser and run nothing in it, whatever %s says', async (_, stored) => {
    await put('page.csv', '<script>fetch("/")</script>', stored);

    const { headers } = await fetch(`${s3.url}/${bucket}/page.csv`);

    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('that cannot be written are answered with the reason, once, and the next one is stored', async () => {
    const folder = join(directory, 'objects');
    await rename(folder, `${folder}-away`);

    const lost = put('large', Buffer.alloc(3_000_000));

    await expect(lost).rejects.toMatchObject({ name: 'InsufficientStorage', $metadata: { attempts: 1 } });
    await expect(lost).rejects.toThrow('The emulator cannot use its folder: ENOENT');
    await rename(`${folder}-away`, folder);
    await put('large', 'stored');
    expect((await get('large')).text).toBe('stored');
  });

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

  test('that are missing leave the connection open for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports: (number | undefined)[] = [];
    for (const method of ['HEAD', 'GET', 'DELETE', 'HEAD']) {
      const sent = request(`${s3.url}/${bucket}/missing`, { agent, method }).end();
      const [response]: IncomingMessage[] = await once(sent, 'response');
      ports.push(response?.socket.localPort);
      await once(response?.resume() as IncomingMessage, 'end');
    }
    agent.destroy();
    expect(new Set(ports).size).toBe(1);
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

  test('are listed by the first version of the operation, which s3cmd, s3fs and rclone use', async () => {
    for (const key of ['a/1', 'a/2', 'b/1', 'c +']) await put(key, 'x');
    const list = async (more: object) => {
      const page = await client.send(new ListObjectsCommand({ Bucket: bucket, ...more }));
      return {
        keys: page.Contents?.map(({ Key }) => Key) ?? [],
        folders: page.CommonPrefixes?.map(({ Prefix }) => Prefix) ?? [],
        next: page.IsTruncated ? (page.NextMarker ?? 'the last key') : undefined,
      };
    };

    expect(await list({ Prefix: 'a/' })).toEqual({ keys: ['a/1', 'a/2'], folders: [], next: undefined });
    expect(await list({ MaxKeys: 1 })).toEqual({ keys: ['a/1'], folders: [], next: 'the last key' });
    expect(await list({ Marker: 'b/1' })).toEqual({ keys: ['c +'], folders: [], next: undefined });
    expect(await list({ Delimiter: '/', MaxKeys: 1 })).toEqual({ keys: [], folders: ['a/'], next: 'a/' });
    expect(await list({ Delimiter: '/', Marker: 'a/' })).toEqual({ keys: ['c +'], folders: ['b/'], next: undefined });
    expect((await list({ EncodingType: 'url', Prefix: 'c' })).keys).toEqual(['c%20%2B']);
  });

  test('have keys of at most 1024 bytes', async () => {
    await put('ü'.repeat(512), 'x');

    await expect(put(`${'ü'.repeat(512)}x`, 'x')).rejects.toMatchObject({ name: 'KeyTooLongError' });
  });

  test('are copied onto themselves only with other metadata', async () => {
    await put('a b', 'x');
    const onto = { Bucket: bucket, Key: 'a b', CopySource: `${bucket}/a%20b` };

    await expect(client.send(new CopyObjectCommand(onto))).rejects.toMatchObject({ name: 'InvalidRequest' });
    await client.send(new CopyObjectCommand({ ...onto, MetadataDirective: 'REPLACE', Metadata: { tariff: '7' } }));

    expect((await get('a b')).Metadata).toEqual({ tariff: '7' });
  });

  test('are declined when their length is unknown, as by a pipe into curl', async () => {
    const body = new Blob(['msisdn']).stream();

    const response = await fetch(`${s3.url}/${bucket}/piped`, { method: 'PUT', body, duplex: 'half' } as RequestInit);

    expect(response.status).toBe(501);
    expect(await response.text()).toContain('<Code>NotImplemented</Code>');
    await expect(get('piped')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
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

// Versions of objects of the embedded S3.
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
