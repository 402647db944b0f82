// Uploads in parts to the embedded S3.
import { randomBytes } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { describe, expect, test } from 'vitest';
import { bucket, client, get, put, s3, useServedS3 } from '../../support/embedded/s3.ts';

useServedS3();

describe('large objects', () => {
  test('are uploaded in parts as a stream and read back in ranges across the parts', async () => {
    const bytes = randomBytes(17_000_000);
    const upload = new Upload({ client, params: { Bucket: bucket, Key: 'large', Body: bytes }, partSize: 5_242_880 });
    const done = await upload.done();

    const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'large' }));
    const across = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: 'large', Range: 'bytes=5242870-10485770' }),
    );

    expect(head.ContentLength).toBe(bytes.length);
    expect(done.Location).toBe(`${s3.url}/${bucket}/large`);
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

const mismatch = (expected: string, actual: string) => ({
  name: 'InvalidRequest',
  message: `Checksum Type mismatch occurred, expected checksum Type: ${expected}, actual checksum Type: ${actual}`,
});

test.each([
  ['none', undefined, mismatch('null', 'crc32')],
  ['another one', 'SHA256', mismatch('sha256', 'crc32')],
] as const)(
  'a part with a checksum is declined where the upload was created with %s',
  async (_, ChecksumAlgorithm, error) => {
    const target = { Bucket: bucket, Key: 'mismatch' };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm }));
    const part = { ...target, UploadId, PartNumber: 1, Body: 'x', ChecksumAlgorithm: 'CRC32' } as const;
    await expect(client.send(new UploadPartCommand(part))).rejects.toMatchObject(error);
  },
);

test('an upload with checksums is completed only with those of its parts, which its object does not have', async () => {
  const target = { Bucket: bucket, Key: 'checked' };
  const checked = { ChecksumAlgorithm: 'CRC32' } as const;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...target, ...checked }));
  const part = { ...target, ...checked, UploadId, PartNumber: 1, Body: 'all of it' };
  const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand(part));
  const complete = (more: object) => {
    const Parts = [{ PartNumber: 1, ETag, ...more }];
    return client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }));
  };

  await expect(complete({})).rejects.toMatchObject({
    name: 'InvalidRequest',
    message: expect.stringMatching(/^The upload was created using a crc32 checksum\..* missing for part 1 /),
  });
  await complete({ ChecksumCRC32 });

  expect((await get('checked')).text).toBe('all of it');
});

test('uploads that are not complete are listed by key, prefix and page', async () => {
  for (const Key of ['a/2', 'a/1', 'b']) await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
  const list = (more: object) => client.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...more }));

  const all = await list({});
  const first = await list({ Prefix: 'a/', MaxUploads: 1 });
  const second = await list({
    Prefix: 'a/',
    KeyMarker: first.NextKeyMarker,
    UploadIdMarker: first.NextUploadIdMarker,
  });

  expect(all.Uploads?.map(({ Key }) => Key)).toEqual(['a/1', 'a/2', 'b']);
  expect(all.Uploads?.[0]?.Initiated?.toISOString()).toBe('2026-06-01T09:00:00.000Z');
  expect([first.IsTruncated, first.Uploads?.map(({ Key }) => Key)]).toEqual([true, ['a/1']]);
  expect([second.IsTruncated, second.Uploads?.map(({ Key }) => Key)]).toEqual([false, ['a/2']]);
});
