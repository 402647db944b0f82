// A client of a running emulator: its buckets, its queues and its table.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { EmulatorFile } from '#local/data-folder.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createDeadLetters } from '#shared/store/queues/dead-letters.ts';
import { connectionTo } from '../support/local-emulator.ts';

/** An item of the results table, as it is stored. */
export type StoredItem = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

export interface EmulatorClient {
  /** @param metadata the settings of the upload. */
  upload(key: string, text: string, metadata?: Readonly<Record<string, string>>): Promise<void>;
  /** Sends a command of a person, in a form of shared/messages.ts. */
  command(message: object): Promise<void>;
  /** Reads an object of the results bucket; undefined if there is none. */
  readResult(key: string): Promise<string | undefined>;
  /** Everything in the results table. */
  readItems(): Promise<StoredItem[]>;
  /** Redrives all dead-letter queues. Returns the number of messages. */
  redrive(): Promise<number>;
  close(): void;
}

/** @param state of the running emulator */
export function connectToEmulator({ endpoints, environment, outputs }: EmulatorFile): EmulatorClient {
  const s3 = new S3Client({ ...connectionTo(endpoints.s3, environment), forcePathStyle: true });
  const sqs = new SQSClient(connectionTo(endpoints.sqs, environment));
  const table = documentClient(new DynamoDBClient(connectionTo(endpoints.dynamodb, environment)));
  const deadLetters = createDeadLetters(sqs);
  return {
    upload: async (key, text, metadata = {}) => {
      await s3.send(new PutObjectCommand({ Bucket: outputs.InboxBucket, Key: key, Body: text, Metadata: metadata }));
    },
    command: async (message) => {
      const body = JSON.stringify(message);
      await sqs.send(new SendMessageCommand({ QueueUrl: outputs.CommandQueueUrl, MessageBody: body }));
    },
    readResult: async (key) => {
      try {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: outputs.ResultsBucket, Key: key }));
        return Body?.transformToString();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    readItems: async () => {
      const items: StoredItem[] = [];
      const pages = paginateScan({ client: table }, { TableName: outputs.ResultsTable, ConsistentRead: true });
      for await (const { Items = [] } of pages) items.push(...(Items as StoredItem[]));
      return items;
    },
    redrive: async () => {
      let moved = 0;
      for (const name of ['IngestQueueUrl', 'CommandQueueUrl', 'SubmitQueueUrl', 'ReportQueueUrl']) {
        const queue = outputs[name];
        if (queue !== undefined && (await deadLetters.count(await deadLetters.of(queue))) > 0) {
          moved += await deadLetters.redrive(queue);
        }
      }
      return moved;
    },
    close: () => {
      for (const client of [s3, sqs, table]) client.destroy();
    },
  };
}
