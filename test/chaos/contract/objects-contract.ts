// The contract of the buckets: whole objects, multipart uploads, versions, and conditional reads.
import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { createMultipartUploads } from '#shared/store/browser-files.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { createFiles } from '#shared/store/files.ts';
import { ObjectGone } from '#shared/store/object-keys.ts';
import { all, type OpenSide } from './side.ts';

/** More than one part of a multipart upload. */
const large = 'x'.repeat(9 * 1024 * 1024);

export function objectsContract(open: OpenSide): void {
  test('read objects whole, by range and by etag, and report missing ones', async () => {
    const { clients } = await open();
    const files = createFiles(clients.s3);
    const key = `${randomUUID()}/file.csv`;
    const writer = files.open('work', key, 'text/csv');
    await writer.write('0123456789');
    expect(await files.head({ bucket: 'work', key })).toBeUndefined();
    await writer.close();
    const head = await files.head({ bucket: 'work', key });
    expect(head).toMatchObject({ bytes: 10, metadata: {} });
    expect((await files.readBytes({ bucket: 'work', key, etag: head?.etag }, { start: 2, end: 5 })).toString()).toBe(
      '234',
    );
    await expect(files.readText({ bucket: 'work', key, etag: 'another' })).rejects.toBeInstanceOf(ObjectGone);
    await expect(files.readText({ bucket: 'work', key: `${key}.gone` })).rejects.toBeInstanceOf(ObjectGone);
  });

  test('show an object of several parts only when it is whole', async () => {
    const { clients } = await open();
    const files = createFiles(clients.s3);
    const key = `${randomUUID()}/large.csv`;
    const writer = files.open('work', key, 'text/csv');
    await writer.write(large);
    await writer.write('the end');
    expect(await files.head({ bucket: 'work', key })).toBeUndefined();
    await writer.close();
    expect(await files.head({ bucket: 'work', key })).toMatchObject({ bytes: large.length + 7 });
    expect(
      (await files.readBytes({ bucket: 'work', key }, { start: large.length - 1, end: large.length + 7 })).toString(),
    ).toBe('xthe end');
  });

  test('keep an object unchanged when a multipart upload is aborted', async () => {
    const { clients } = await open();
    const files = createFiles(clients.s3);
    const key = `${randomUUID()}/kept.csv`;
    await clients.s3.send(new PutObjectCommand({ Bucket: 'work', Key: key, Body: 'as before' }));
    const writer = files.open('work', key, 'text/csv');
    await writer.write(large);
    await writer.abort();
    expect(await files.readText({ bucket: 'work', key })).toBe('as before');
    expect(await files.head({ bucket: 'work', key })).toMatchObject({ bytes: 9 });
  });

  test('show the parts of an upload that have arrived, and complete or discard it once', async () => {
    const { clients, browser } = await open();
    const [multipart, files] = [createMultipartUploads(clients.s3), createFiles(clients.s3)];
    const key = `${randomUUID()}/parts.csv`;
    const upload = { bucket: 'work', key, s3UploadId: await multipart.begin('work', key, { 'plan-only': 'true' }) };
    expect(await multipart.parts(upload)).toEqual([]);
    const part = { Bucket: 'work', Key: key, UploadId: upload.s3UploadId };
    await browser.send(new UploadPartCommand({ ...part, PartNumber: 1, Body: 'all of it' }));
    const arrived = (await multipart.parts(upload)) ?? [];
    expect(arrived).toMatchObject([{ part: 1, bytes: 9 }]);
    expect(await files.head({ bucket: 'work', key })).toBeUndefined();
    await multipart.complete(upload, arrived);
    expect(await files.head({ bucket: 'work', key })).toMatchObject({ bytes: 9, metadata: { 'plan-only': 'true' } });
    expect(await multipart.parts(upload)).toBeUndefined();
    const other = { ...upload, s3UploadId: await multipart.begin('work', `${key}.other`, {}), key: `${key}.other` };
    await multipart.abort(other);
    expect(await multipart.parts(other)).toBeUndefined();
  });

  test('copy an object in one of its versions, with other metadata', async () => {
    const { clients } = await open();
    const files = createFiles(clients.s3);
    const from = { bucket: 'work', key: `${randomUUID()}/ä b+c.csv` };
    await clients.s3.send(new PutObjectCommand({ Bucket: 'work', Key: from.key, Body: 'content' }));
    const to = { bucket: 'work', key: `${randomUUID()}/copy.csv` };
    expect(await files.copy(from, to, { sheet: 'x' })).not.toBe('');
    expect(await files.readText(to)).toBe('content');
    expect(await files.head(to)).toMatchObject({ metadata: { sheet: 'x' } });
    await expect(files.copy({ ...from, key: 'gone' }, to, {})).rejects.toBeInstanceOf(ObjectGone);
  });

  test('read the metadata of an upload', async () => {
    const { clients } = await open();
    const key = `${randomUUID()}/wishes.csv`;
    const Metadata = { 'plan-only': 'true' };
    await clients.s3.send(new PutObjectCommand({ Bucket: 'work', Key: key, Body: 'a', Metadata }));
    expect(await createFiles(clients.s3).head({ bucket: 'work', key })).toMatchObject({ metadata: Metadata });
  });

  test('keep only the last content in a bucket without versions', async () => {
    const { clients } = await open();
    const key = `${randomUUID()}/file.csv`;
    const files = createFiles(clients.s3);
    const first = await clients.s3.send(new PutObjectCommand({ Bucket: 'work', Key: key, Body: '1' }));
    const head = await files.head({ bucket: 'work', key });
    await clients.s3.send(new PutObjectCommand({ Bucket: 'work', Key: key, Body: '2' }));
    expect([first.VersionId, head?.versionId]).toEqual([undefined, undefined]);
    await expect(files.readText({ bucket: 'work', key, etag: head?.etag })).rejects.toBeInstanceOf(ObjectGone);
    await clients.s3.send(new DeleteObjectCommand({ Bucket: 'work', Key: key }));
    expect(await files.head({ bucket: 'work', key })).toBeUndefined();
  });

  test('list every version page by page, without deleted ones', async () => {
    const { clients, bucket } = await open();
    const upload = uploadingTo(clients, bucket);
    const a = [await upload('a.csv', '1'), await upload('a.csv', '2'), await upload('a.csv', '2')];
    await upload('gone.csv', '1');
    await upload('gone.csv', '2');
    await clients.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'gone.csv' }));
    const z = await upload('z &ü.csv', '1');
    const found = await all(createFiles(clients.s3).versions(bucket));
    expect(found.map(({ key, versionId }) => [key, versionId])).toEqual([
      ...a.map(({ versionId }) => ['a.csv', versionId]).reverse(),
      ['z &ü.csv', z.versionId],
    ]);
    expect(found.map(({ etag }) => etag)).toEqual([...a.map(({ etag }) => etag).reverse(), z.etag]);
    const behind = await all(createFiles(clients.s3).versions(bucket, 'a.csv'));
    expect(behind.map(({ versionId }) => versionId)).toEqual([z.versionId]);
    const [first] = a;
    expect(await createFiles(clients.s3).readText({ bucket, key: 'a.csv', versionId: first?.versionId })).toBe('1');
  });

  test('report a deleted object as missing, and list later versions', async () => {
    const { clients, bucket } = await open();
    const upload = uploadingTo(clients, bucket);
    const { versionId } = await upload('again.csv', '1');
    await clients.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'again.csv' }));
    const files = createFiles(clients.s3);
    expect(await files.head({ bucket, key: 'again.csv' })).toBeUndefined();
    expect(await files.readText({ bucket, key: 'again.csv', versionId })).toBe('1');
    const next = await upload('again.csv', '2');
    expect((await all(files.versions(bucket))).map((version) => version.versionId)).toContain(next.versionId);
  });
}

const uploadingTo =
  ({ s3 }: AwsClients, bucket: string) =>
  async (Key: string, Body: string) => {
    const { ETag = '', VersionId = '' } = await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
    return { versionId: VersionId, etag: ETag.replaceAll('"', '') };
  };
