// Resolutions that people asked for in the API: sync carries them out, and records its answer.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import {
  type Resolution,
  type ResolveAnswer,
  resolveAnswer,
  resolveCommand,
} from '#shared/domain/requests/resolution.ts';
import { instant } from '#shared/domain/schemas.ts';
import { getItem, putItem, readDue } from '#shared/store/table.ts';
import { resolutionKey, resolutionQueue } from '#shared/text/stored-values.ts';
import { readItem } from './read-item.ts';

const resolutionItem = z.object({
  ...resolveCommand.shape.resolve.shape,
  at: instant,
  /** Absent while it waits for sync. */
  answer: z.optional(resolveAnswer),
  /** In seconds since 1970: DynamoDB deletes the item then. */
  expiresAt: z.int(),
});
export type ResolutionItem = z.infer<typeof resolutionItem>;

export interface Resolutions {
  /** false: another resolution of the request waits for sync. */
  ask(item: ResolutionItem): Promise<boolean>;
  get(importId: string, request: number): Promise<ResolutionItem | undefined>;
  /** Those without an answer at `now` (wall time, epoch milliseconds), the oldest first. */
  waiting(now: number, limit: number): Promise<ResolutionItem[]>;
  /** Without effect on one that was asked for at another time. */
  answer(resolution: Resolution, answer: ResolveAnswer): Promise<void>;
}

export function createResolutions(client: DynamoDBDocumentClient, name: string): Resolutions {
  const table = { client, name };
  const keyOf = ({ importId, request }: Resolution) => resolutionKey(importId, request);
  const get: Resolutions['get'] = (importId, request) =>
    getItem(table, resolutionItem, resolutionKey(importId, request));
  return {
    get,
    ask: (item) =>
      putItem(
        table,
        { ...keyOf(item), ...item, dueQueue: resolutionQueue, dueAt: item.at },
        { ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(answer)' },
      ),
    async waiting(now, limit) {
      const items = await readDue(table, [resolutionQueue], isoTime(now), limit);
      return items.map((item) => readItem(resolutionItem, item));
    },
    async answer(resolution, answer) {
      if (resolution.at === undefined) return;
      const item = await get(resolution.importId, resolution.request);
      if (item?.at === resolution.at) await putItem(table, { ...keyOf(item), ...item, answer });
    },
  };
}
