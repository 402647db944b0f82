// Makes what a blueprint names, through the services' own calls, so that it works against the embedded services and
// against any that `AWS_ENDPOINT_URL_*` point to. Everything may exist already; its settings then follow the template.
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketVersioningCommand,
  type QueueConfiguration,
  type S3Client,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, SetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Blueprint, BucketPlan, QueuePlan, TablePlan } from './template/blueprint.ts';

export interface Clients {
  readonly s3: S3Client;
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
}

const queueAttributes = (queue: QueuePlan): Record<string, string> => {
  const attributes: Record<string, string | number | undefined> = {
    VisibilityTimeout: queue.VisibilityTimeout ?? 30,
    DelaySeconds: queue.DelaySeconds ?? 0,
    MessageRetentionPeriod: queue.MessageRetentionPeriod ?? 345_600,
    ReceiveMessageWaitTimeSeconds: queue.ReceiveMessageWaitTimeSeconds ?? 0,
    RedrivePolicy: queue.RedrivePolicy && JSON.stringify(queue.RedrivePolicy),
  };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
};

const makeQueues = async (sqs: SQSClient, queues: readonly QueuePlan[]): Promise<void> => {
  // A dead letter queue must be there before the queue that names it.
  const targetsFirst = queues.toSorted(
    (a, b) => Number(a.RedrivePolicy !== undefined) - Number(b.RedrivePolicy !== undefined),
  );
  for (const queue of targetsFirst) {
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: queue.name }));
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: queueAttributes(queue) }));
  }
};

const queueConfigurations = (bucket: BucketPlan): QueueConfiguration[] =>
  bucket.NotificationConfiguration.QueueConfigurations.map(({ Event, Queue, Filter }) => ({
    QueueArn: Queue,
    Events: [Event as `s3:ObjectCreated:*`],
    ...(Filter && {
      Filter: {
        Key: {
          FilterRules: Filter.S3Key.Rules.map(({ Name, Value }) => ({
            Name: Name.toLowerCase() as 'prefix' | 'suffix',
            Value,
          })),
        },
      },
    }),
  }));

const makeBucket = async (s3: S3Client, bucket: BucketPlan): Promise<void> => {
  try {
    await s3.send(new CreateBucketCommand({ Bucket: bucket.name }));
  } catch (error) {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  }
  if (bucket.VersioningConfiguration !== undefined) {
    const Status = bucket.VersioningConfiguration.Status === 'Enabled' ? 'Enabled' : 'Suspended';
    await s3.send(new PutBucketVersioningCommand({ Bucket: bucket.name, VersioningConfiguration: { Status } }));
  }
  const QueueConfigurations = queueConfigurations(bucket);
  if (QueueConfigurations.length > 0) {
    await s3.send(
      new PutBucketNotificationConfigurationCommand({
        Bucket: bucket.name,
        NotificationConfiguration: { QueueConfigurations },
      }),
    );
  }
};

const describeTable = async (dynamodb: DynamoDBClient, name: string) => {
  try {
    return (await dynamodb.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

const createTableInput = (table: TablePlan): CreateTableCommandInput => ({
  TableName: table.name,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: table.AttributeDefinitions,
  KeySchema: table.KeySchema,
  ...(table.GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes: table.GlobalSecondaryIndexes }),
  ...(table.LocalSecondaryIndexes.length > 0 && { LocalSecondaryIndexes: table.LocalSecondaryIndexes }),
});

/** Makes a table, or adds the indexes that the template has gained since. Streams are never switched on: see local/stream/. */
const makeTable = async (dynamodb: DynamoDBClient, table: TablePlan): Promise<void> => {
  const found = await describeTable(dynamodb, table.name);
  if (found === undefined) {
    await dynamodb.send(new CreateTableCommand(createTableInput(table)));
    await waitUntilTableExists(
      { client: dynamodb, maxWaitTime: 60, minDelay: 1, maxDelay: 1 },
      { TableName: table.name },
    );
    return;
  }
  const existing = new Set(found.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of table.GlobalSecondaryIndexes.filter(({ IndexName }) => !existing.has(IndexName))) {
    await dynamodb.send(
      new UpdateTableCommand({
        TableName: table.name,
        AttributeDefinitions: table.AttributeDefinitions,
        GlobalSecondaryIndexUpdates: [{ Create: index }],
      }),
    );
  }
};

/** Makes queues, then buckets (which announce themselves to queues), and tables beside them. */
export const provision = async (
  blueprint: Pick<Blueprint, 'buckets' | 'queues' | 'tables'>,
  clients: Clients,
): Promise<void> => {
  const storage = async (): Promise<void> => {
    await makeQueues(clients.sqs, blueprint.queues);
    for (const bucket of blueprint.buckets) await makeBucket(clients.s3, bucket);
  };
  await Promise.all([storage(), ...blueprint.tables.map((table) => makeTable(clients.dynamodb, table))]);
};
