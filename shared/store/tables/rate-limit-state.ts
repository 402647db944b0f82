// The state of the rate limit: one item for all environments, replaced only at the revision that was read.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type RateLimitItem, rateLimitItem } from '#shared/domain/requests/rate-limit-item.ts';
import { getItem, ifRevision, putItem } from '#shared/store/table.ts';
import { rateLimitKey } from '#shared/text/stored-values.ts';

export interface RateLimitStore {
  /** Strongly consistent; undefined before the first call. */
  get(): Promise<RateLimitItem | undefined>;
  /** Writes `next` in place of `seen`; false when `seen` is not the stored item any more. */
  replace(seen: RateLimitItem | undefined, next: RateLimitItem): Promise<boolean>;
}

export function createRateLimitStore(client: DynamoDBDocumentClient, name: string, account: number): RateLimitStore {
  const table = { client, name };
  const key = rateLimitKey(account);
  return {
    get: () => getItem(table, rateLimitItem, key),
    replace: (seen, next) =>
      putItem(table, { ...key, ...next, revision: (seen?.revision ?? 0) + 1 }, ifRevision(seen?.revision)),
  };
}
