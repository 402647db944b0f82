// Ingest with the real protocols: the AWS SDK against S3, SQS and DynamoDB servers, and the porting simulator.

import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ingest, type UploadedObject } from '#functions/ingest/ingest.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { submitMessage } from '#shared/request/messages.ts';
import { plannedRequest } from '#shared/request/request.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { createPortingClient } from '#shared/service/client.ts';
import { createFiles } from '#shared/store/files.ts';
import { createImports } from '#shared/store/imports.ts';
import { createQueues } from '#shared/store/queues.ts';
import { createRequests } from '#shared/store/requests.ts';
import { type RunningSimulator, startSimulator } from '#simulator/start-simulator.ts';
import { type ResultsServices, startResultsServices } from '../../support/embedded/services.ts';
import { generateRows } from '../../support/ingest/generate-rows.ts';
import { ingestBench } from '../../support/ingest/ingest.ts';
import { testResources } from '../../support/steps/test-pipeline.ts';

let services: ResultsServices;
let server: RunningSimulator;
let dependencies: Parameters<typeof ingest>[2];

beforeAll(async () => {
  [services, server] = await Promise.all([startResultsServices(), startSimulator()]);
  const [client] = server.clients;
  if (client === undefined) throw new Error('the service has no client');
  const { baseUrl, authUrl } = server;
  const porting = createPortingClient({
    baseUrl,
    authUrl,
    accountId: client.accountId,
    credentials: async () => client,
  });
  dependencies = {
    ...ingestBench().dependencies,
    files: createFiles(services.s3),
    imports: createImports(services.table, services.tableName),
    requests: createRequests(services.table, services.tableName),
    queues: createQueues(services.sqs),
    openCatalogue: () => createCatalogue(porting),
    clocks: { wall: Date.now, calendar: Date.now },
    resources: { ...testResources, submitQueueUrl: services.submitQueueUrl },
  };
});
afterAll(async () => {
  await Promise.all([services.stop(), server.stop()]);
});

async function upload(key: string, body: string, metadata: Record<string, string> = {}): Promise<UploadedObject> {
  const bucket = services.buckets.inbox;
  const put = new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, Metadata: metadata });
  const { ETag } = await services.s3.send(put);
  return { bucket, key, etag: ETag?.replaceAll('"', ''), sequencer: key };
}

const ample = createDeadline(() => 900_000);

describe('with real clients', () => {
  test('3,000 rows lead to requests whose messages name their exact bytes of the plan', async () => {
    services.emptyQueues();
    const object = await upload('create-port/a b+ü.csv', [...generateRows({ rows: 3000, broken: 0.02 })].join(''));
    const item = await ingest(object, ample, dependencies);
    expect(item).toMatchObject({ state: 'submitting', rows: 3000 });
    const messages = services.waiting('submit').map(({ body }) => submitMessage.parse(body));
    expect(messages).toHaveLength(item?.requestCount ?? 0);
    const files = createFiles(services.s3);
    let planned = 0;
    for (const { importId, request, plan } of messages) {
      const bytes = await files.readBytes({ bucket: services.buckets.work, key: plan.key }, plan);
      const read = plannedRequest.parse(JSON.parse(bytes.toString()));
      expect([read.importId, read.request]).toEqual([importId, request]);
      planned += read.rows.length;
    }
    expect(planned).toBe(item?.accepted);
  });

  test('a repeated event changes nothing, and another upload of the same bytes is another import', async () => {
    const body = [...generateRows({ rows: 20 })].join('');
    const object = await upload('create-port/again.csv', body);
    const first = await ingest(object, ample, dependencies);
    const again = await ingest(object, ample, dependencies);
    const other = await ingest({ ...object, sequencer: 'later' }, ample, dependencies);
    expect(again).toEqual(first);
    expect(other?.importId).not.toBe(first?.importId);
  });

  test('metadata sets whole columns and stops after planning', async () => {
    services.emptyQueues();
    const body = [...generateRows({ rows: 20 })].join('').replace('targetNetwork', 'somewhere');
    const metadata = { 'set-targetNetwork': 'UK%20Mobile%20A', 'plan-only': 'true' };
    const item = await ingest(await upload('create-port/set.csv', body, metadata), ample, dependencies);
    expect(item).toMatchObject({ state: 'planned', rows: 20 });
    expect(services.waiting('submit')).toEqual([]);
  });

  test('a notification without an ETag reads one whole version', async () => {
    const object = await upload('create-port/plain.csv', [...generateRows({ rows: 10 })].join(''));
    const item = await ingest({ ...object, etag: undefined }, ample, dependencies);
    expect(item).toMatchObject({ state: 'submitting', rows: 10 });
  });
});
