// A client of a running emulator: its buckets and its table.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DeleteCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { EmulatorFile } from '#local/data-folder.ts';
import { requestKey } from '#shared/request/request.ts';
import { documentClient } from '#shared/store/clients.ts';
import { leaseKey } from '#shared/store/leases.ts';
import { connectionTo } from '../../support/emulator/emulator.ts';
import { requestsAmong } from './evidence.ts';

/** An item of the results table, as it is stored. */
export type StoredItem = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

export interface EmulatorClient {
  upload(key: string, text: string): Promise<void>;
  /** Reads an object of the results bucket; undefined if there is none. */
  readResult(key: string): Promise<string | undefined>;
  /** Everything in the results table. */
  readItems(): Promise<StoredItem[]>;
  /** Ends the leases that killed processes took before `killedAt`, so that a test need not wait until they expire. */
  endLeasesBefore(killedAt: number): Promise<void>;
}

/** @param state of the running emulator */
export function connectToEmulator({ endpoints, environment, outputs }: EmulatorFile): EmulatorClient {
  const s3 = new S3Client({ ...connectionTo(endpoints.s3, environment), forcePathStyle: true });
  const table = documentClient(new DynamoDBClient(connectionTo(endpoints.dynamodb, environment)));
  const TableName = outputs.ResultsTable;
  const readItems = async (): Promise<StoredItem[]> => {
    const items: StoredItem[] = [];
    for await (const { Items = [] } of paginateScan({ client: table }, { TableName, ConsistentRead: true }))
      items.push(...(Items as StoredItem[]));
    return items;
  };
  return {
    upload: async (key, text) => {
      await s3.send(new PutObjectCommand({ Bucket: outputs.InboxBucket, Key: key, Body: text }));
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
    readItems,
    endLeasesBefore: async (killedAt) => {
      const interrupted = requestsAmong(await readItems()).filter(
        ({ state, changedAt }) => state === 'in-flight' && Date.parse(changedAt) < killedAt,
      );
      for (const { importId, request } of interrupted) {
        await table.send(
          new UpdateCommand({
            TableName,
            Key: { ...requestKey(importId, request) },
            UpdateExpression: 'SET dueAt = :now',
            ExpressionAttributeValues: { ':now': new Date().toISOString() },
          }),
        );
      }
      // A new run may have taken the lease by now; the ledger is safe when two runs overlap.
      await table.send(new DeleteCommand({ TableName, Key: { ...leaseKey('sync') } }));
    },
  };
}
