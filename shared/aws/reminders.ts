// Reminders to tell report of an import: whatever message got lost, no import stays behind its requests.
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { readDue } from './due.ts';
import { reminderKey, reminderQueue } from './keys.ts';

export interface Reminders {
  /** Sets the import's reminder to `dueAt` (wall time, epoch milliseconds), whether or not there is one. */
  set(importId: string, dueAt: number): Promise<void>;
  /** Nobody needs to be reminded any more. */
  strike(importId: string): Promise<void>;
  /** Imports whose reminder is due at `now`, the longest due first. */
  due(now: number, limit: number): Promise<string[]>;
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

export function createReminders(client: DynamoDBDocumentClient, table: string): Reminders {
  const set = async (importId: string, dueAt: number): Promise<void> => {
    const item = { ...reminderKey(importId), importId, dueQueue: reminderQueue, dueAt: iso(dueAt) };
    await client.send(new PutCommand({ TableName: table, Item: item }));
  };

  const strike = async (importId: string): Promise<void> => {
    await client.send(new DeleteCommand({ TableName: table, Key: reminderKey(importId) }));
  };

  const due = async (now: number, limit: number): Promise<string[]> => {
    const items = await readDue(client, table, [reminderQueue], iso(now), limit);
    return items.map(({ importId }) => String(importId));
  };

  return { set, strike, due };
}
