// Versions of objects of the embedded S3.
import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
} from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, test } from 'vitest';
import { bucket, client, get, put, useServedS3 } from '../../support/embedded/s3.ts';

useServedS3();

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
