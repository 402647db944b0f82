// One import on the local emulator in memory: its upload, and its progress until every port is created.
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { Upload } from '@aws-sdk/lib-storage';
import type { Pipeline } from '#cli/local-pipeline/start-pipeline.ts';
import type { ImportItem } from '#shared/items/import.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createQueues } from '#shared/store/queues/queues.ts';
import { createImports } from '#shared/store/tables/imports.ts';
import { createRequests } from '#shared/store/tables/requests.ts';

const pollEveryMs = 250;
const progressEveryMs = 5_000;

/** Uploads one file to a pipeline that runs in this process, and follows it. */
export function connect({ endpoints, outputs, service }: Pipeline) {
  const connection = { region: 'eu-west-2', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const s3 = new S3Client({ ...connection, endpoint: endpoints.s3, forcePathStyle: true });
  const table = documentClient(new DynamoDBClient({ ...connection, endpoint: endpoints.dynamodb }));
  const imports = createImports(table, outputs.ResultsTable ?? '');
  const requests = createRequests(table, outputs.ResultsTable ?? '');
  const accountId = service.accountId;
  return {
    upload: async (Key: string, bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> => {
      const params = { Bucket: outputs.InboxBucket ?? '', Key, Body: Readable.from(bytes) };
      await new Upload({ client: s3, params }).done();
    },
    uploadText: async (key: string, text: string): Promise<void> => {
      await s3.send(new PutObjectCommand({ Bucket: outputs.InboxBucket ?? '', Key: key, Body: text }));
    },
    /** The ports of an import, to another day. */
    reschedule: (importId: string, date: string): Promise<void> => {
      const queues = createQueues(new SQSClient({ ...connection, endpoint: endpoints.sqs }));
      return queues.send(outputs.CommandQueueUrl ?? '', [{ reschedule: importId, date, ask: 'bench' }]);
    },
    /** The latest import that has started. */
    readImport: async (): Promise<ImportItem | undefined> => (await imports.list(accountId, { limit: 1 }))[0],
    /** Epoch milliseconds of the call that created its last port. */
    lastCreated: async ({ importId }: ImportItem): Promise<number> => {
      let last = 0;
      for await (const { submittedAt } of requests.ofImport(importId)) {
        last = Math.max(last, Date.parse(submittedAt ?? ''));
      }
      return last;
    },
  };
}

export const isCreated = ({ state, requests, requestCount }: ImportItem): boolean =>
  state !== 'planning' && requestCount > 0 && (requests.created ?? 0) >= requestCount;

/** @throws Error when the import is rejected, or one of its requests does not create a port */
export async function untilCreated(
  readImport: () => Promise<ImportItem | undefined>,
  onPoll: () => void,
): Promise<ImportItem> {
  const begun = performance.now();
  let loggedAt = begun;
  for (;;) {
    const item = await readImport();
    onPoll();
    if (item !== undefined && isCreated(item)) return item;
    if (item !== undefined && (item.state === 'rejected' || item.requests.declined || item.requests['action-required']))
      throw new Error(`the import failed: ${JSON.stringify({ state: item.state, requests: item.requests })}`);
    if (performance.now() - loggedAt >= progressEveryMs) {
      loggedAt = performance.now();
      const seconds = Math.round((loggedAt - begun) / 1000);
      console.error(`${seconds} s: ${item?.state ?? 'uploaded'}, ${item?.rows ?? 0} rows, ${requestsText(item)}`);
    }
    await pause(pollEveryMs);
  }
}

export const isPlanned = ({ state }: ImportItem): boolean => state !== 'planning';

/** Sync has read each of its ports. */
export const isRead = ({ ports, requestCount }: ImportItem): boolean =>
  Object.values(ports).reduce((sum, count) => sum + count, 0) >= requestCount;

/** @throws Error when the import is rejected */
export async function untilImport(
  readImport: () => Promise<ImportItem | undefined>,
  isMeant: (item: ImportItem) => boolean,
): Promise<ImportItem> {
  for (;;) {
    const item = await readImport();
    if (item !== undefined && isMeant(item)) {
      if (item.state === 'rejected') throw new Error(`the import was rejected: ${JSON.stringify(item.issues)}`);
      return item;
    }
    await pause(pollEveryMs);
  }
}

const requestsText = (item: ImportItem | undefined): string =>
  item === undefined ? '' : `${item.requests.created ?? 0} of ${item.requestCount} requests created`;
