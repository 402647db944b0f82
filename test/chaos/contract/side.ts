// The two sides of the contract: the embedded services and the in-memory doubles. Both record the commands that they
// receive.
import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { CreateQueueCommand, GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { linkSigner } from '#shared/store/browser-files.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { keepingVersions } from '../../support/embedded/services.ts';
import { tableDefinition } from '../../support/embedded/table.ts';
import { createBucketTwin } from '../../support/in-memory/bucket.ts';
import { createQueueTwin } from '../../support/in-memory/queue.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { noon } from '../../support/steps/ledger-items.ts';

/** Deliveries of a message before it is dead-lettered. */
export const mostDeliveries = 2;

export interface Side {
  readonly clients: AwsClients;
  /** Sends parts of uploads without checksums. */
  readonly browser: AwsClients['s3'];
  readonly table: string;
  /** An empty bucket with versions. */
  readonly bucket: string;
  /** Dead-letters a message after `mostDeliveries`. */
  readonly queueUrl: string;
}

export type OpenSide = () => Promise<Side>;

/** The names of the commands that were sent. */
export type Sent = Set<string>;

export async function openEmbedded(services: AwsClients, sent: Sent): Promise<Side> {
  const table = `contract-${randomUUID()}`;
  await services.table.send(new CreateTableCommand(tableDefinition(table)));
  const bucket = `versions-${randomUUID()}`;
  await services.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await services.s3.send(keepingVersions(bucket));
  const queue = async (name: string, Attributes: Record<string, string> = {}): Promise<string> =>
    (await services.sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }))).QueueUrl ?? '';
  const aside = await queue(`aside-${table}`);
  const asked = new GetQueueAttributesCommand({ QueueUrl: aside, AttributeNames: ['QueueArn'] });
  const deadLetterTargetArn = (await services.sqs.send(asked)).Attributes?.QueueArn;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: mostDeliveries });
  const browser = noting({ ...services, s3: linkSigner(services.s3) }, sent).s3;
  return {
    clients: noting(services, sent),
    browser,
    table,
    bucket,
    queueUrl: await queue(`work-${table}`, { RedrivePolicy }),
  };
}

export async function openTwins(sent: Sent): Promise<Side> {
  let time = noon;
  // Time passes.
  const now = () => {
    time += 1;
    return time;
  };
  const queueUrl = 'https://sqs.example/work';
  const aside = 'https://sqs.example/aside';
  const queues = {
    [queueUrl]: { visibilityMs: 30_000, redrive: { to: aside, deliveries: mostDeliveries } },
    [aside]: { visibilityMs: 30_000 },
  };
  const twins = {
    table: createTableTwin({ now, pageSize: 2 }),
    s3: createBucketTwin({ now, pageSize: 2, isVersioned: (bucket) => bucket !== 'work' }),
    sqs: createQueueTwin({ now, queues }),
  };
  const clients = noting(twins as unknown as AwsClients, sent);
  return { clients, browser: clients.s3, table: 'results', bucket: 'versions', queueUrl };
}

/** The same clients, recording the name of each command. */
function noting(clients: AwsClients, sent: Sent): AwsClients {
  const noted = (client: { send(command: never): unknown }) => ({
    send: (command: object) => {
      sent.add(command.constructor.name);
      return client.send(command as never);
    },
  });
  const { s3, sqs, table } = clients;
  return { s3: noted(s3), sqs: noted(sqs), table: noted(table) } as unknown as AwsClients;
}

export const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => Array.fromAsync(items);
