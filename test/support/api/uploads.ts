// Files that people upload through the API, in its tests.
import { UploadPartCommand } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { settle } from '../../chaos/drive.ts';
import { buckets } from '../../chaos/pipeline.ts';
import { rowsFrom } from '../../chaos/scenario.ts';
import { type ApiWorld, operator } from './simulated-api.ts';

/** Two valid rows of create-port. */
export const two = rowsFrom(0, ['ABC123456', 'ABC123457']);

/** Sends the bytes of a part as the link of the API would. */
export async function sendPart(url: string, bytes: Buffer, { world }: ApiWorld): Promise<void> {
  const { pathname, searchParams } = new URL(url);
  const [UploadId, PartNumber] = [searchParams.get('uploadId') ?? '', Number(searchParams.get('partNumber'))];
  const Key = pathname.slice(1);
  await world.bucket.send(new UploadPartCommand({ Bucket: buckets.inbox, Key, UploadId, PartNumber, Body: bytes }));
}

/** Answers the id of the import that the file becomes. */
export async function uploadFile(api: ApiWorld, bytes: Buffer, as = operator): Promise<string> {
  const body = {
    operation: 'create-port',
    fileName: 'july "x".csv',
    bytes: bytes.length,
    columnValues: { tariff: '2001' },
    maxRowsPerPort: 1,
    onInvalidPac: 'remove',
    separateExpiringPacs: true,
  };
  const begun = await api.call('POST', '/uploads', { body, as });
  const { uploadId } = begun.body;
  const { body: answer } = await api.call('POST', `/uploads/${uploadId}/links`, { body: { parts: [1] }, as });
  await sendPart(answer.links[0].url, bytes, api);
  const done = await api.call('POST', `/uploads/${uploadId}/complete`, { as });
  expect(done.status).toBe(202);
  return done.body.importId;
}
interface Stored {
  readonly key: string;
  readonly versionId?: string;
}

/** The events of S3 for objects of the inbox. @default - the newest one */
export async function announceUploads(
  { world }: ApiWorld,
  uploads: readonly Stored[] = world.bucket.written(buckets.inbox).slice(-1),
): Promise<void> {
  for (const { key, versionId } of uploads) {
    const object = { key: encodeURIComponent(key), eTag: 'e', versionId };
    const Records = [{ s3: { bucket: { name: buckets.inbox }, object } }];
    world.queue.add('https://sqs.example/ingest', { Records }, 0);
  }
  await settle(world);
}
