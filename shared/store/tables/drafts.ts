// Who has changed invalid rows of an import without sending them yet. The cells are in the work bucket: they hold PACs.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { instant } from '#shared/domain/schemas.ts';
import { type Condition, getItem, ifNew, putItem, readChildren } from '#shared/store/table.ts';
import { draftKey, draftPk, draftPrefix } from '#shared/text/stored-values.ts';

const draftItem = z.object({
  draftId: z.string(),
  /** The subject of the person. */
  actorId: z.string(),
  by: z.string(),
  savedAt: instant,
  /** Rows with a change; 0 once they are sent or discarded. */
  rows: z.int(),
  /** In seconds since 1970: DynamoDB deletes the item then. */
  expiresAt: z.int(),
});
export type DraftItem = z.infer<typeof draftItem>;

export interface Drafts {
  /** @param before the draft that it replaces. false: another one has taken its place since. */
  put(importId: string, item: DraftItem, before: DraftItem | undefined): Promise<boolean>;
  get(importId: string, draftId: string): Promise<DraftItem | undefined>;
  ofImport(importId: string): Promise<DraftItem[]>;
}

const isStill = ({ savedAt }: DraftItem): Condition => ({
  ConditionExpression: 'savedAt = :savedAt',
  ExpressionAttributeValues: { ':savedAt': savedAt },
});

export function createDrafts(client: DynamoDBDocumentClient, name: string): Drafts {
  const table = { client, name };
  return {
    put: (importId, item, before) =>
      putItem(table, { ...draftKey(importId, item.draftId), importId, ...item }, before ? isStill(before) : ifNew),
    get: (importId, draftId) => getItem(table, draftItem, draftKey(importId, draftId)),
    ofImport: (importId) =>
      Array.fromAsync(readChildren(table, draftItem, { pk: draftPk(importId), prefix: draftPrefix })),
  };
}
