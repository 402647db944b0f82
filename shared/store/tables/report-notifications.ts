// Times at which report is to be notified of an import again: whatever message was lost, no import stays behind its
// requests.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { deleteItem, putItem, readDue } from '#shared/store/table.ts';
import { notificationKey, notificationQueue } from '#shared/text/stored-values.ts';

export interface ReportNotifications {
  /** Sets the time of the import's notification (wall time, epoch milliseconds), whether or not it has one. */
  set(importId: string, dueAt: number): Promise<void>;
  /** Report needs no further notification of the import. */
  remove(importId: string): Promise<void>;
  /** Imports whose notification is due at `now`, the longest due first. */
  due(now: number, limit: number): Promise<string[]>;
}

export function createReportNotifications(client: DynamoDBDocumentClient, name: string): ReportNotifications {
  const table = { client, name };
  return {
    set: async (importId, dueAt) => {
      await putItem(table, {
        ...notificationKey(importId),
        importId,
        dueQueue: notificationQueue,
        dueAt: isoTime(dueAt),
      });
    },
    remove: async (importId) => {
      await deleteItem(table, notificationKey(importId));
    },
    due: async (now, limit) => {
      const items = await readDue(table, [notificationQueue], isoTime(now), limit);
      return items.map(({ importId }) => String(importId));
    },
  };
}
