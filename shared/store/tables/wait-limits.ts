// Shortens waits that no item can have: they were written before the clock stepped back.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { dueShards, heldQueue, notificationQueue, plannedQueue, portQueue, requestQueue } from './item-keys.ts';
import { limitDueTimes } from './table.ts';

const queues = {
  /** In wall time. */
  requests: [...shardsOf(requestQueue), ...shardsOf(plannedQueue), heldQueue],
  /** In wall time. */
  notifications: [notificationQueue],
  /** In calendar time. */
  ports: shardsOf(portQueue),
} as const;

export interface WaitLimit {
  readonly of: keyof typeof queues;
  /** Epoch milliseconds: what is due later than `latest` is due at `dueAt`. */
  readonly latest: number;
  readonly dueAt: number;
  readonly limit: number;
}

export interface WaitLimits {
  /** Answers how many waits were shortened. */
  apply(limit: WaitLimit): Promise<number>;
}

export const createWaitLimits = (client: DynamoDBDocumentClient, name: string): WaitLimits => ({
  apply: ({ of, latest, dueAt, limit }) =>
    limitDueTimes({ client, name }, queues[of], { latest: isoTime(latest), dueAt: isoTime(dueAt) }, limit),
});

function shardsOf(queue: (shard: number) => string): string[] {
  return Array.from({ length: dueShards }, (_, shard) => queue(shard));
}
