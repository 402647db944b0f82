// Writes that people sent with an idempotency key, and their answers, for a day.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ItemKey } from '#shared/text/stored-values.ts';
import { getItem, putItem } from './table.ts';

export const idempotencyItem = z.object({
  fingerprint: z.string(),
  /** JSON; absent while the first request runs. */
  answer: z.optional(z.string()),
  /** Wall time in milliseconds after which an unfinished request counts as failed. */
  runningUntil: z.number(),
});

export type BegunWrite =
  | { readonly state: 'new' | 'in-progress' | 'other-request' }
  | { readonly state: 'done'; readonly answer: unknown };

export interface IdempotencyStore {
  begin(writeId: string, fingerprint: string): Promise<BegunWrite>;
  finish(writeId: string, fingerprint: string, answer: unknown): Promise<void>;
  /** Only the same request may use the key again. */
  fail(writeId: string, fingerprint: string): Promise<void>;
}

const keptSeconds = 86_400;
/** The longest time-out of the function that writes. */
const runningMs = 30_000;

/** @param wall in milliseconds */
export function createIdempotencyStore(
  client: DynamoDBDocumentClient,
  name: string,
  wall: () => number,
): IdempotencyStore {
  const table = { client, name };
  const itemOf = (writeId: string, fingerprint: string) => ({
    ...idempotencyKey(writeId),
    fingerprint,
    runningUntil: wall() + runningMs,
    // DynamoDB deletes the item then.
    expiresAt: Math.floor(wall() / 1_000) + keptSeconds,
  });

  return {
    async begin(writeId, fingerprint) {
      const isNew = {
        ConditionExpression:
          'attribute_not_exists(pk) OR (attribute_not_exists(answer) AND runningUntil < :now AND fingerprint = :same)',
        ExpressionAttributeValues: { ':now': wall(), ':same': fingerprint },
      };
      if (await putItem(table, itemOf(writeId, fingerprint), isNew)) return { state: 'new' };
      const found = await getItem(table, idempotencyItem, idempotencyKey(writeId));
      if (found === undefined) return { state: 'in-progress' };
      if (found.fingerprint !== fingerprint) return { state: 'other-request' };
      if (found.answer === undefined) return { state: 'in-progress' };
      return { state: 'done', answer: JSON.parse(found.answer) ?? undefined };
    },
    async finish(writeId, fingerprint, answer) {
      await putItem(table, { ...itemOf(writeId, fingerprint), answer: JSON.stringify(answer ?? null) });
    },
    async fail(writeId, fingerprint) {
      await putItem(table, { ...itemOf(writeId, fingerprint), runningUntil: 0 });
    },
  };
}

export const idempotencyKey = (writeId: string): ItemKey => ({ pk: `idempotency#${writeId}`, sk: 'idempotency' });
