// Which import had the same content: the rows that would be sent, without their lines and PACs.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { getItem, putItem } from '#shared/store/table.ts';
import { contentKey } from '#shared/text/stored-values.ts';

export const contentItem = z.object({ importId: z.string(), expiresAt: z.int() });

export interface Content {
  readonly account: number;
  readonly contentHash: string;
  readonly importId: string;
  /** Wall time, epoch ms. */
  readonly now: number;
}

export interface Contents {
  /** The other import that has the content; undefined where there is none. */
  find(content: Content): Promise<string | undefined>;
  /** Claims the content in place of `seen`; false if another import was first. */
  claim(content: Content, seen: string | undefined): Promise<boolean>;
}

/** A file that is uploaded twice by mistake is uploaded soon; a later upload is intended. */
const keptSeconds = 7 * 24 * 60 * 60;

export function createContents(client: DynamoDBDocumentClient, name: string): Contents {
  const table = { client, name };
  return {
    find: async ({ account, contentHash, importId, now }) => {
      const item = await getItem(table, contentItem, contentKey(account, contentHash));
      // DynamoDB deletes an expired item up to two days late.
      const isOther = item !== undefined && item.importId !== importId && item.expiresAt * 1000 > now;
      return isOther ? item.importId : undefined;
    },
    claim: ({ account, contentHash, importId, now }, seen = importId) => {
      const seconds = Math.floor(now / 1000);
      return putItem(
        table,
        { ...contentKey(account, contentHash), importId, expiresAt: seconds + keptSeconds },
        {
          ConditionExpression: 'attribute_not_exists(pk) OR importId = :seen OR importId = :own OR expiresAt <= :now',
          ExpressionAttributeValues: { ':seen': seen, ':own': importId, ':now': seconds },
        },
      );
    },
  };
}
