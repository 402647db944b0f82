// What function instances agree on: who holds a lease, the state of the rate limit, and how runs of sync end.
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type RateLimitItem, rateLimitItem, rateLimitKey } from '#shared/request/shared-rate-limit.ts';
import { count, type ItemKey, instant } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import { deleteItem, getItem, ifNew, ifRevision, putItem, wasWritten } from './table.ts';

// Named leases: exactly one of all runs that ask gets the lease, and the lease of a run that died expires. A lease can
// carry a note from one holder to the next.

/** The times are wall time in epoch milliseconds. */
interface HeldLease {
  readonly name: string;
  readonly holder: string;
  readonly until: number;
}

export interface Lease extends HeldLease {
  readonly now: number;
}

export interface LeftBehind {
  /** `''` where there is none. */
  readonly note: string;
  /** The last holder did not release the lease, as where it was killed. */
  readonly isUnreleased: boolean;
}

export interface Leases {
  /** false while another holder has the lease. */
  take(lease: Lease): Promise<boolean>;
  /** The same, and returns what the last holder left; undefined while another holder has it. */
  takeUp(lease: Lease): Promise<LeftBehind | undefined>;
  /** Leaves a note for the next holder, if `holder` still has the lease. */
  note(lease: HeldLease, note: string): Promise<void>;
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
    if (!taken) return undefined;
    const isUnreleased = before.holder !== undefined && before.holder !== holder;
    return { note: String(before.noted ?? ''), isUnreleased };
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

export function createRateLimitStore(client: DynamoDBDocumentClient, name: string, account: string): RateLimitStore {
  const table = { client, name };
  const key = rateLimitKey(account);
  return {
    get: () => getItem(table, rateLimitItem, key),
    replace: async (seen, next) => {
      const item = { ...next, revision: (seen?.revision ?? 0) + 1 };
      const condition = seen === undefined ? ifNew : ifRevision(seen.revision);
      return (await putItem(table, { ...key, ...item }, condition)) ? item : undefined;
    },
  };
}

// How runs of sync end, for people. Nothing is written while all of them do their work.

export const syncRunsItem = z.object({
  /** Runs that did not end, since the last one that did, and when the first of them was noticed. */
  unfinished: count,
  unfinishedSince: z.optional(instant),
  /** A task of the last run that ended failed: why, and since when each run has failed. */
  failing: z.optional(z.object({ since: instant, reason: z.string() })),
});
export type SyncRunsItem = z.infer<typeof syncRunsItem>;

export interface SyncRunsReader {
  /** undefined: no run failed so far. */
  get(): Promise<SyncRunsItem | undefined>;
}

/** Only the run that holds the lease writes. The times are wall time in epoch milliseconds. */
export interface SyncRuns extends SyncRunsReader {
  /** The run before this one did not end: a run that is killed can record nothing. */
  addUnfinished(now: number): Promise<void>;
  /** @param reason why tasks of this run failed; undefined when all of them did their work */
  end(now: number, reason: string | undefined): Promise<void>;
}

export function createSyncRuns(client: DynamoDBDocumentClient, name: string, account: string): SyncRuns {
  const table = { client, name };
  const key = syncRunsKey(account);
  const get = () => getItem(table, syncRunsItem, key);
  return {
    get,
    addUnfinished: async (now) => {
      const { unfinished = 0, unfinishedSince = isoTime(now), failing } = (await get()) ?? {};
      await putItem(table, { ...key, unfinished: unfinished + 1, unfinishedSince, ...(failing && { failing }) });
    },
    end: async (now, reason) => {
      const { unfinished = 0, failing } = (await get()) ?? {};
      if (unfinished === 0 && failing?.reason === reason) return;
      const next = reason === undefined ? {} : { failing: { since: failing?.since ?? isoTime(now), reason } };
      await putItem(table, { ...key, unfinished: 0, ...next });
    },
  };
}

export const syncRunsKey = (account: string): ItemKey => ({ pk: `service#${account}`, sk: 'syncRuns' });

export const leaseKey = (name: string): ItemKey => ({ pk: `lease#${name}`, sk: 'lease' });
