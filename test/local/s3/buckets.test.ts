// What clients ask about a bucket before they upload a file.
import { GetBucketLocationCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { bucket, client, s3, useServedS3 } from '../../support/embedded/s3.ts';

useServedS3();

test('a bucket has the region of the emulator', async () => {
  const location = await client.send(new GetBucketLocationCommand({ Bucket: bucket }));
  const head = await client.send(new HeadBucketCommand({ Bucket: bucket }));

  expect(location.LocationConstraint).toBe('eu-west-2');
  expect(head.BucketRegion).toBe('eu-west-2');
});

test('the region of a bucket that does not exist is not known', async () => {
  await expect(client.send(new GetBucketLocationCommand({ Bucket: 'missing' }))).rejects.toMatchObject({
    name: 'NoSuchBucket',
  });
});

test.each(['', bucket])('the version of the API, which libcloud sends, changes nothing at /%s', async (path) => {
  expect((await fetch(`${s3.url}/${path}?Version=2006-03-01`)).status).toBe(200);
});
