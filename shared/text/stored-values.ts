// How values are stored: fields, instants, counts and JSON, and the keys and indexes of the table.
import * as z from 'zod/mini';

// The shapes of counts, positions and instants, as stored and as answered.

export const count = z.int().check(z.nonnegative());
/** Counted from 1: a line, a request. */
export const ordinal = z.int().check(z.positive());
/** ISO 8601 in UTC. */
export const instant = z.iso.datetime();

/** JSON can carry half of a character of two UTF-16 units, which UTF-8 cannot: S3 and DynamoDB take no such text. */
export const isWellFormed = z.refine<string>(
  (value) => value.isWellFormed(),
  'half of a character, such as an emoji, is missing: enter the text again',
);

// Fields that several items of the table have.

export const text = z.string();
export const optionalText = z.optional(text);
export const optionalInstant = z.optional(instant);
export const optionalCount = z.optional(count);
export const flag = z.optional(z.boolean());
/** How a CSV is encoded, and what separates its cells. */
export const encoding = z.enum(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']);
export const separator = z.enum([',', ';', '\t', '|']);

/** When DynamoDB may delete the item, in seconds since 1970. All items of an import have that of the import. */
export const expiresAt = z.int().check(z.nonnegative());

export const tally = z.record(z.string(), count);
/** Counts by name: `{ created: 12, declined: 1 }`. */
export type Tally = z.infer<typeof tally>;

/**
 * undefined for a text that is not JSON. The error of `JSON.parse` would quote the text, which may contain a PAC or a
 * secret.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A key of the results table, and its three sparse indexes. Each noun has the keys of its items.

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** Items that are due, by time: partition `dueQueue`, sort `dueAt`. */
export const dueIndex = 'due';
/** Items that people list, by time: partition `listed`, sort `listedAt`. */
export const listedIndex = 'listed';

/** Ports by their day: partition `account`, sort `portDay`. People and their lists read it, and no step. */
export const dayIndex = 'days';

const keys: ReadonlySet<string> = new Set(['pk', 'sk', 'dueQueue', 'listed', 'listedAt', 'portDay']);

/** The attributes of an item without those that only the table and its indexes read. */
export function withoutKeys(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  // The rest of a destructured object takes four times as long, and report reads every request again and again.
  for (const name of Object.keys(raw)) if (!keys.has(name)) item[name] = raw[name];
  return item;
}

/** Padded, so that a query returns the requests of an import in their order. */
export const padded = (request: number): string => String(request).padStart(7, '0');

/**
 * Each of these due queues has several partitions, so that a large import does not overload a single one. How many are
 * needed depends on the writes per second, not on the items that are due (docs/contributing/performance.md).
 */
const dueShards = 4;

/** All partitions of a due queue. */
export const shardsOf = (queue: (shard: number) => string): string[] =>
  Array.from({ length: dueShards }, (_, shard) => queue(shard));

/** Distributes by the last characters of an id, which is random. */
export const shardOf = (id: string): number => {
  let sum = 0;
  for (let index = Math.max(0, id.length - 4); index < id.length; index += 1) sum += id.charCodeAt(index);
  return sum % dueShards;
};
