// Shortens waits that no item can have: they were written before the clock stepped back.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { heldQueue, notificationQueue, plannedQueue, portQueue, requestQueue, shardsOf } from './item-keys.ts';
import { putItem, readDue } from './table.ts';

/** Those of ports are in calendar time, the others in wall time. */
const queues = {
  requests: [...shardsOf(requestQueue), ...shardsOf(plannedQueue), heldQueue],
  notifications: [notificationQueue],
  ports: shardsOf(portQueue),
};

/** Items of a kind that are due later than `latest` become due at `dueAt` (epoch ms). Returns how many. */
export type LimitWait = (kind: keyof typeof queues, latest: number, dueAt: number) => Promise<number>;

/** Further ones follow an hour later. */
const mostItems = 10_000;

export const createWaitLimits =
  (client: DynamoDBDocumentClient, name: string): LimitWait =>
  async (kind, latest, dueAt) => {
    const table = { client, name };
    let limited = 0;
    for (const item of await readDue(table, queues[kind], isoTime(latest), mostItems, '>')) {
      const revision = 'revision' in item && { revision: Number(item.revision) + 1 };
      // A request counts its changes, a port has the time of its last reading: one that changes meanwhile is left out.
      const compared = ['dueAt', 'revision', 'readAt'].filter((key) => key in item);
      const isWritten = await putItem(
        table,
        { ...item, ...revision, dueAt: isoTime(dueAt) },
        {
          ConditionExpression: compared.map((key) => `${key} = :${key}`).join(' AND '),
          ExpressionAttributeValues: Object.fromEntries(compared.map((key) => [`:${key}`, item[key]])),
        },
      );
      if (isWritten) limited += 1;
    }
    return limited;
  };
