// The contract of the limits: what AWS takes at each of them, and declines beyond.
import { randomUUID } from 'node:crypto';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { BatchExecuteStatementCommand, BatchGetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { limits } from '#local/limits.ts';
import type { OpenSide, Side } from './side.ts';

interface LimitUse {
  /** Uses `count` of what the limit counts. */
  readonly use: (side: Side, count: number) => Promise<unknown>;
  /** The name of the error beyond the limit. */
  readonly error: string;
  /** Fewer are declined, not more. */
  readonly isLeast?: true;
}

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

const sendBodies = (
  { clients, queueUrl: QueueUrl }: Side,
  bodies: readonly string[],
  idOf: (index: number) => string = String,
) =>
  clients.sqs.send(
    new SendMessageBatchCommand({
      QueueUrl,
      Entries: bodies.map((MessageBody, index) => ({ Id: idOf(index), MessageBody })),
    }),
  );

async function uploadTwoParts({ clients: { s3 }, bucket: Bucket }: Side, bytes: number): Promise<object> {
  const Key = randomUUID();
  const checked = { ChecksumAlgorithm: 'CRC32' } as const;
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...checked }));
  const upload = { Bucket, Key, UploadId };
  const Parts: CompletedPart[] = [];
  for (const [index, Body] of ['x'.repeat(bytes), 'the end'].entries()) {
    const PartNumber = index + 1;
    const { ETag, ChecksumCRC32 } = await s3.send(new UploadPartCommand({ ...upload, ...checked, PartNumber, Body }));
    Parts.push({ PartNumber, ETag, ChecksumCRC32 });
  }
  return s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
}

const keyOf = (index: number) => ({ pk: `limit-${index}`, sk: 'item' });

export const limitUses = {
  sqsMessageBytes: {
    use: (side, bytes) => sendBodies(side, ['x'.repeat(bytes - 9), 'the other']),
    error: 'BatchRequestTooLong',
  },
  sqsBatch: {
    use: (side, count) =>
      sendBodies(
        side,
        times(count, (index) => `${index}`),
      ),
    error: 'TooManyEntriesInBatchRequest',
  },
  sqsBatchId: {
    use: (side, length) => sendBodies(side, ['x'], () => 'x'.repeat(length)),
    error: 'InvalidBatchEntryId',
  },
  sqsReceived: {
    use: ({ clients, queueUrl: QueueUrl }, MaxNumberOfMessages) =>
      clients.sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages })),
    error: 'InvalidParameterValue',
  },
  s3KeyBytes: {
    use: ({ clients, bucket: Bucket }, bytes) =>
      clients.s3.send(new PutObjectCommand({ Bucket, Key: `${'x'.repeat(bytes - 2)}ü`, Body: 'x' })),
    error: 'KeyTooLongError',
  },
  s3MetadataBytes: {
    use: ({ clients, bucket: Bucket }, bytes) =>
      clients.s3.send(new PutObjectCommand({ Bucket, Key: 'x', Body: 'x', Metadata: { some: 'x'.repeat(bytes - 4) } })),
    error: 'MetadataTooLarge',
  },
  s3PartBytes: { use: uploadTwoParts, error: 'EntityTooSmall', isLeast: true },
  dynamodbItemBytes: {
    use: ({ clients, table: TableName }, bytes) => {
      const Item = { ...keyOf(0), text: '', flag: true, numbers: [12, 345] };
      const others = 'pk'.length + 'limit-0'.length + 'sk'.length + 'item'.length + 'text'.length + 'flag'.length + 1;
      // A list has 3 bytes and one for each entry, a number one and one for two digits.
      const list = 'numbers'.length + 3 + 2 + 2 + 3;
      const text = 'x'.repeat(bytes - others - list);
      return clients.table.send(new PutCommand({ TableName, Item: { ...Item, text } }));
    },
    error: 'ValidationException',
  },
  dynamodbReads: {
    use: ({ clients, table }, count) =>
      clients.table.send(new BatchGetCommand({ RequestItems: { [table]: { Keys: times(count, keyOf) } } })),
    error: 'ValidationException',
  },
  dynamodbStatements: {
    use: ({ clients, table }, count) =>
      clients.table.send(
        new BatchExecuteStatementCommand({
          Statements: times(count, (index) => ({
            Statement: `INSERT INTO "${table}" VALUE {'pk': ?, 'sk': ?}`,
            Parameters: Object.values(keyOf(index)),
          })),
        }),
      ),
    error: 'ValidationException',
  },
  dynamodbTransaction: {
    use: ({ clients, table: TableName }, count) =>
      clients.table.send(
        new TransactWriteCommand({
          TransactItems: times(count, (index) => ({ Put: { TableName, Item: keyOf(index) } })),
        }),
      ),
    error: 'ValidationException',
  },
} as const satisfies Partial<Record<keyof typeof limits, LimitUse>>;

export function limitsContract(open: OpenSide): void {
  test.each(Object.entries<LimitUse>(limitUses))('hold the limit %s', async (name, { use, error, isLeast }) => {
    const { value } = limits[name as keyof typeof limitUses];
    const side = await open();
    await expect(use(side, value)).resolves.toBeDefined();
    await expect(use(side, isLeast ? value - 1 : value + 1)).rejects.toMatchObject({ name: error });
  });

  test('decline a batch in which two messages have one id', async () => {
    const sending = sendBodies(await open(), ['a', 'b'], () => 'same');
    await expect(sending).rejects.toMatchObject({ name: 'BatchEntryIdsNotDistinct' });
  });
}
