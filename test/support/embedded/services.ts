// Embedded DynamoDB, S3 and SQS for tests of storage, on free TCP ports, with table, queues and buckets.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startDynamoDb } from '#local/aws/dynamodb.ts';
import { type AwsClients, documentClient } from '#shared/store/clients.ts';
import { serveS3, serveSqs } from '../emulator/services.ts';
import { tableDefinition } from './table.ts';

type QueueName = 'ingest' | 'command' | 'submit' | 'report';

export interface ResultsServices extends AwsClients {
  readonly tableName: string;
  readonly buckets: { readonly inbox: string; readonly work: string; readonly results: string };
  readonly ingestQueueUrl: string;
  readonly commandQueueUrl: string;
  readonly submitQueueUrl: string;
  readonly reportQueueUrl: string;
  /** The bodies of the messages in a queue, including delayed ones, without receiving them. */
  waiting(queue: QueueName): { body: unknown; delaySeconds: number }[];
  /** Until when (epoch milliseconds) each received message is hidden, by its id. */
  hidden(queue: QueueName): Map<string, number>;
  emptyQueues(): void;
  emptyBuckets(): Promise<void>;
  stop(): Promise<void>;
}

const region = 'eu-west-2';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export const keepingVersions = (bucket: string): PutBucketVersioningCommand =>
  new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } });

async function emptyBucket(s3: S3Client, Bucket: string): Promise<void> {
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  const Objects = Versions.map(({ Key = '', VersionId }) => ({ Key, VersionId }));
  if (Objects.length > 0) await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
}

export async function startResultsServices(): Promise<ResultsServices> {
  const directory = await mkdtemp(join(tmpdir(), 'simporter-results-'));
  const [database, queues, objects] = await Promise.all([
    startDynamoDb(),
    serveSqs(),
    serveS3({ directory, clock: Date.now, deliver: async () => {}, log: console.error }),
  ]);
  const dynamodb = new DynamoDBClient({ region, endpoint: database.url, credentials });
  const tableName = 'results';
  await dynamodb.send(new CreateTableCommand(tableDefinition(tableName)));
  const buckets = { inbox: 'inbox', work: 'work', results: 'results' };
  const wire = { region, endpoint: queues.url, credentials };
  const s3 = new S3Client({ ...wire, endpoint: objects.url });
  for (const bucket of Object.values(buckets)) await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await s3.send(keepingVersions(buckets.inbox));
  const sqs = new SQSClient(wire);
  const createQueue = async (QueueName: QueueName): Promise<string> =>
    (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? '';
  const queueUrls = {
    ingest: await createQueue('ingest'),
    command: await createQueue('command'),
    submit: await createQueue('submit'),
    report: await createQueue('report'),
  };

  const waiting = (queue: QueueName) => {
    const waitingMessages = queues.store.messages(queue).filter(({ receipt }) => receipt === null);
    return waitingMessages.map(({ body, visibleAt, sentAt }) => ({
      body: JSON.parse(body) as unknown,
      delaySeconds: Math.round((visibleAt - sentAt) / 1000),
    }));
  };

  const hidden = (queue: QueueName) =>
    new Map(
      queues.store
        .messages(queue)
        .filter(({ receipt }) => receipt !== null)
        .map(({ id, visibleAt }) => [id, visibleAt]),
    );

  return {
    s3,
    sqs,
    table: documentClient(dynamodb),
    tableName,
    buckets,
    ingestQueueUrl: queueUrls.ingest,
    commandQueueUrl: queueUrls.command,
    submitQueueUrl: queueUrls.submit,
    reportQueueUrl: queueUrls.report,
    waiting,
    hidden,
    emptyQueues: () => {
      for (const queue of ['ingest', 'command', 'submit', 'report']) queues.store.purge(queue);
    },
    emptyBuckets: async () => {
      for (const bucket of Object.values(buckets)) await emptyBucket(s3, bucket);
    },
    stop: async () => {
      s3.destroy();
      sqs.destroy();
      dynamodb.destroy();
      await Promise.all([queues.stop(), objects.stop()]);
      await database.stop();
      await rm(directory, { recursive: true });
    },
  };
}
