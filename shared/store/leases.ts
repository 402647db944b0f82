// What instances agree on: who holds a lease, the rate limit (items, keys, stores).
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type RateLimitItem, rateLimitItem, rateLimitKey } from '#shared/request/rate-limit.ts';
import type { ItemKey } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import { deleteItem, getItem, ifRevision, putItem, wasWritten } from './table.ts';

// Named leases: exactly one of all runs that ask gets the lease, and the lease of a run that died expires. A lease can
// carry a note from one holder to the next.

/** The times are wall time in epoch milliseconds. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly now: number;
  readonly until: number;
}

export interface Leases {
  /** false while another holder has the lease. */
  take(lease: Lease): Promise<boolean>;
  /** The same, and returns the last holder's note, `''` where there is none; undefined while another holder has it. */
  takeUp(lease: Lease): Promise<string | undefined>;
  /** Leaves a note for the next holder, if `holder` still has the lease. */
  note(lease: Pick<Lease, 'name' | 'holder' | 'until'>, note: string): Promise<void>;
  /** Ends the lease, if `holder` still has it. */
  release(name: string, holder: string): Promise<void>;
}

export function createLeases(client: DynamoDBDocumentClient, tableName: string): Leases {
  const table = { client, name: tableName };
  const heldBy = (holder: string) => ({
    ConditionExpression: 'holder = :holder',
    ExpressionAttributeValues: { ':holder': holder },
  });

  const takeUp: Leases['takeUp'] = async ({ name, holder, now, until }) => {
    const put = new PutCommand({
      TableName: tableName,
      Item: { ...leaseKey(name), holder, leaseUntil: isoTime(until) },
      ConditionExpression: 'attribute_not_exists(pk) OR leaseUntil <= :now OR holder = :holder',
      ExpressionAttributeValues: { ':now': isoTime(now), ':holder': holder },
      ReturnValues: 'ALL_OLD',
    });
    let before: Readonly<Record<string, unknown>> = {};
    const taken = await wasWritten(async () => {
      const { Attributes = {} } = await client.send(put);
      before = Attributes;
    });
    return taken ? String(before.noted ?? '') : undefined;
  };

  return {
    take: async (lease) => (await takeUp(lease)) !== undefined,
    takeUp,
    note: async ({ name, holder, until }, note) => {
      await putItem(table, { ...leaseKey(name), holder, leaseUntil: isoTime(until), noted: note }, heldBy(holder));
    },
    release: async (name, holder) => {
      await deleteItem(table, leaseKey(name), heldBy(holder));
    },
  };
}

// The state of the rate limit: one item for all environments, replaced only at the revision that was read.

export interface RateLimitReader {
  /** Strongly consistent; undefined before the first call. */
  get(): Promise<RateLimitItem | undefined>;
}

export interface RateLimitStore extends RateLimitReader {
  /** Writes `next` in place of `seen`. Returns the stored item; undefined when `seen` is not stored any more. */
  replace(seen: RateLimitItem | undefined, next: RateLimitItem): Promise<RateLimitItem | undefined>;
}

export function createRateLimitStore(client: DynamoDBDocumentClient, name: string, account: number): RateLimitStore {
  const table = { client, name };
  const key = rateLimitKey(account);
  return {
    get: () => getItem(table, rateLimitItem, key),
    replace: async (seen, next) => {
      const item = { ...next, revision: (seen?.revision ?? 0) + 1 };
      return (await putItem(table, { ...key, ...item }, ifRevision(seen?.revision))) ? item : undefined;
    },
  };
}

export const leaseKey = (name: string): ItemKey => ({ pk: `lease#${name}`, sk: 'lease' });
