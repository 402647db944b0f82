// The real wire for tests of storage: an embedded DynamoDB, S3 and SQS on free TCP ports, with the table, queues and buckets.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { startS3 } from '#local/s3/server.ts';
import { type AwsClients, documentClient } from '#shared/aws/clients.ts';
import { tableDefinition } from '#shared/aws/table-definition.ts';

type QueueName = 'ingest' | 'submit' | 'report';

export interface ResultsServices extends AwsClients {
  readonly tableName: string;
  readonly buckets: { readonly inbox: string; readonly work: string; readonly results: string };
  readonly ingestQueueUrl: string;
  readonly submitQueueUrl: string;
  readonly reportQueueUrl: string;
  /** The bodies that wait in a queue, delayed ones too; takes none of them. */
  waiting(queue: QueueName): { body: unknown; delaySeconds: number }[];
  /** Until when (epoch ms) each delivered message is hidden, by its id. */
  hidden(queue: QueueName): Map<string, number>;
  emptyQueues(): void;
  emptyBuckets(): Promise<void>;
  stop(): Promise<void>;
}

const region = 'eu-west-2';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

function freeTcpPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function startDynamoDb(): Promise<{ endpoint: string; child: ChildProcess }> {
  const tcpPort = await freeTcpPort();
  const binary = new URL('../../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url).pathname;
  const child = spawn(binary, ['serve', '--port', String(tcpPort)], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${tcpPort}`;
  const client = new DynamoDBClient({ region, endpoint, credentials, maxAttempts: 1 });
  const until = Date.now() + 20_000;
  for (;;) {
    try {
      await client.send(new ListTablesCommand({}));
      return { endpoint, child };
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}

export const keepingVersions = (bucket: string): PutBucketVersioningCommand =>
  new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } });

async function emptyBucket(s3: S3Client, Bucket: string): Promise<void> {
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  const Objects = Versions.map(({ Key = '', VersionId }) => ({ Key, VersionId }));
  if (Objects.length > 0) await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
}

export async function startResultsServices(): Promise<ResultsServices> {
  const directory = await mkdtemp(join(tmpdir(), 'simporter-results-'));
  const [{ endpoint, child }, fauxqs, objects] = await Promise.all([
    startDynamoDb(),
    startFauxqs({ port: 0, logger: false }),
    startS3({ directory, region, clock: Date.now, deliver: async () => {}, log: console.error }),
  ]);
  const dynamodb = new DynamoDBClient({ region, endpoint, credentials });
  const tableName = 'results';
  await dynamodb.send(new CreateTableCommand(tableDefinition(tableName)));
  const buckets = { inbox: 'inbox', work: 'work', results: 'results' };
  const queueUrl = (name: QueueName) => fauxqs.createQueue(name).queueUrl;
  const queueUrls = { ingest: queueUrl('ingest'), submit: queueUrl('submit'), report: queueUrl('report') };
  const wire = { region, endpoint: fauxqs.address, credentials };
  const s3 = new S3Client({ ...wire, endpoint: objects.url });
  for (const bucket of Object.values(buckets)) await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await s3.send(keepingVersions(buckets.inbox));
  const sqs = new SQSClient(wire);

  const waiting = (queue: QueueName) => {
    const messages = fauxqs.inspectQueue(queue)?.messages;
    return [...(messages?.ready ?? []), ...(messages?.delayed ?? [])].map((message) => ({
      body: JSON.parse(message.body) as unknown,
      delaySeconds: message.delayUntil === undefined ? 0 : (message.delayUntil - message.sentTimestamp) / 1000,
    }));
  };

  const hidden = (queue: QueueName) =>
    new Map(
      (fauxqs.inspectQueue(queue)?.messages.inflight ?? []).map(({ message, visibilityDeadline }) => [
        message.messageId,
        visibilityDeadline,
      ]),
    );

  return {
    s3,
    sqs,
    table: documentClient(dynamodb),
    tableName,
    buckets,
    ingestQueueUrl: queueUrls.ingest,
    submitQueueUrl: queueUrls.submit,
    reportQueueUrl: queueUrls.report,
    waiting,
    hidden,
    emptyQueues: () => fauxqs.reset(),
    emptyBuckets: async () => {
      for (const bucket of Object.values(buckets)) await emptyBucket(s3, bucket);
    },
    stop: async () => {
      s3.destroy();
      sqs.destroy();
      dynamodb.destroy();
      await Promise.all([fauxqs.stop(), objects.stop()]);
      const gone = new Promise((done) => child.once('exit', done));
      child.kill();
      await gone;
      await rm(directory, { recursive: true });
    },
  };
}
