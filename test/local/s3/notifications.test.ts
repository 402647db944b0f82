// Notifications of the embedded S3.
import { CopyObjectCommand, PutBucketNotificationConfigurationCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { describe, expect, test } from 'vitest';
import { bucket, client, delivered, forgetDelivered, put, useServedS3 } from '../../support/embedded/s3.ts';

useServedS3();

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

describe('notifications', () => {
  test('fault 4: the key a+b%20ü.csv arrives URL-encoded, and decodes once to itself', async () => {
    await notify({ Prefix: 'create-port/' });
    forgetDelivered();

    await put('create-port/a+b%20ü.csv', 'x');

    const [key = ''] = delivered.flatMap(({ body }) =>
      (body.Records as { s3: { object: { key: string } } }[]).map(({ s3: { object } }) => object.key),
    );
    expect(key).toBe('create-port/a%2Bb%2520%C3%BC.csv');
    expect(decodeURIComponent(key.replaceAll('+', ' '))).toBe('create-port/a+b%20ü.csv');
  });

  test("have the shape of S3's own", async () => {
    await notify({});
    forgetDelivered();

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
    forgetDelivered();

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
