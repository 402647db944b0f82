// Comparisons of services in the results table, beside the requests of their import.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OnUnreadable } from '#shared/domain/requests/unreadable-item.ts';
import { type ComparisonItem, comparisonItem } from '#shared/outcome/service-comparison.ts';
import { getItem, ifNew, ifRevision, putItem, readChildren, readDue, readListed } from '#shared/store/table.ts';
import {
  comparisonKey,
  comparisonPrefix,
  comparisonQueue,
  importKey,
  mismatchesListed,
} from '#shared/text/stored-values.ts';
import { readEach } from './read-item.ts';

export interface ComparisonReader {
  /** Strongly consistent. */
  get(importId: string, request: number): Promise<ComparisonItem | undefined>;
  /** In the order of the plan, strongly consistent. */
  ofImport(importId: string): AsyncIterable<ComparisonItem>;
  /** Requests with SIMs that differ, the latest first. */
  found(account: number, limit: number): Promise<ComparisonItem[]>;
}

export interface Comparisons extends ComparisonReader {
  /** Inserts the item, unless the request has one already. */
  expect(item: ComparisonItem): Promise<void>;
  /** Writes `next` in place of `seen`; false when `seen` is not the stored item any more. */
  replace(seen: ComparisonItem, next: ComparisonItem): Promise<boolean>;
  /**
   * What is due at `now` (wall time, ISO), the longest due first.
   * @throws UnreadableItem, unless `onUnreadable` is given
   */
  due(now: string, limit: number, onUnreadable?: OnUnreadable): Promise<ComparisonItem[]>;
}

const storedComparison = (item: ComparisonItem) => ({
  ...comparisonKey(item.importId, item.request),
  ...item,
  dueQueue: item.dueAt === undefined ? undefined : comparisonQueue,
  ...(item.sims.length > 0 && { listed: mismatchesListed(item.account), listedAt: item.changedAt }),
});

export function createComparisons(client: DynamoDBDocumentClient, name: string): Comparisons {
  const table = { client, name };
  return {
    expect: async (item) => {
      await putItem(table, storedComparison(item), ifNew);
    },
    get: (importId, request) => getItem(table, comparisonItem, comparisonKey(importId, request)),
    ofImport: (importId) =>
      readChildren(table, comparisonItem, { pk: importKey(importId).pk, prefix: comparisonPrefix }),
    replace: (seen, next) =>
      putItem(table, storedComparison({ ...next, revision: seen.revision + 1 }), ifRevision(seen.revision)),
    due: async (now, limit, onUnreadable) =>
      readEach(comparisonItem, await readDue(table, [comparisonQueue], now, limit), onUnreadable),
    found: (account, limit) =>
      readListed(table, comparisonItem, { partition: mismatchesListed(account), order: 'newest first' }, limit),
  };
}
