// Reads one request of a plan by its bytes, and the index of a plan.
import { createHash, hash } from 'node:crypto';
import * as z from 'zod/mini';
import { unpackLines } from '#shared/request/packed-lines.ts';
import {
  type PlannedRequest,
  plannedRequest,
  planRange,
  type RequestItem,
  replacedPort,
} from '#shared/request/request.ts';
import { UnreadableItem } from '#shared/row/issue.ts';
import { numberInPlan } from '#shared/text/identity.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import { type ByteRange, type Files, type ObjectReader, readJsonLines } from './files.ts';
import { movedRequestKey, planIndexKey, type ReadImport, unlessGone } from './object-keys.ts';

// Reads one request of a plan: exactly its byte range, and checks that it is the right request. Replaces one whose port
// has changed since it was planned.

export interface Plans {
  /** undefined: the plan has expired. @throws PlanMismatch when the bytes are not this request */
  read(item: RequestItem): Promise<PlannedRequest | undefined>;
  /** The same for many, with one call for those that lie close together. @returns what `read` resolves to, or throws */
  readMany(items: readonly RequestItem[]): Promise<(item: RequestItem) => PlannedRequest | undefined>;
}

export interface ChangeablePlans extends Plans {
  /** Answers where the request is from now on. */
  replace(request: PlannedRequest): Promise<RequestItem['plan']>;
}

/** The byte range does not contain this request, so nothing may be sent from it. */
export class PlanMismatch extends UnreadableItem {
  override readonly name = 'PlanMismatch';
}

/** To read as much more costs less than another call. */
const nearBytes = 64 * 1024;

/** The part of one file that contains these requests. */
interface PlanPart extends ByteRange {
  readonly key: string;
}

/** Requests that lie close together are in one part. */
function partsOf(items: readonly RequestItem[]): PlanPart[] {
  const parts: PlanPart[] = [];
  for (const { key, start, end } of items.map(({ plan }) => plan).sort((one, other) => one.start - other.start)) {
    const index = parts.findIndex((part) => part.key === key && start - part.end <= nearBytes);
    const near = parts[index];
    if (near === undefined) parts.push({ key, start, end });
    else parts[index] = { ...near, end: Math.max(near.end, end) };
  }
  return parts;
}

/** @param bytes undefined: the plan has expired */
function parsePlan(item: RequestItem, bytes: Buffer | undefined): PlannedRequest | undefined {
  if (bytes === undefined) return undefined;
  const { key, start, end, digest } = item.plan;
  const text = bytes.toString('utf8');
  const place = `${key}, bytes ${start} to ${end}`;
  if (hash('sha256', text) !== digest) throw new PlanMismatch(place, 'changed since the plan');
  const parsed = plannedRequest.safeParse(parseJson(text));
  if (!parsed.success) throw new PlanMismatch(place, 'not a planned request');
  const { importId, request, token } = parsed.data;
  if (importId !== item.importId || request !== numberInPlan(item.request) || token !== item.token) {
    throw new PlanMismatch(place, `request ${request} of import ${importId}, not ${item.request} of ${item.importId}`);
  }
  return item.part === undefined ? parsed.data : partOfPlan(item, item.part, parsed.data);
}

/** A part has some of the rows of the request that was divided. */
function partOfPlan({ request }: RequestItem, part: string, planned: PlannedRequest): PlannedRequest {
  const lines = new Set(unpackLines(part));
  return { ...planned, request, rows: planned.rows.filter(({ line }) => lines.has(line)) };
}

export function createPlans(files: Files, workBucket: string): ChangeablePlans {
  const bytesOf = ({ key, start, end }: PlanPart): Promise<Buffer | undefined> =>
    unlessGone(files.readBytes({ bucket: workBucket, key }, { start, end }), undefined);

  const readMany: Plans['readMany'] = async (items) => {
    const parts = await Promise.all(partsOf(items).map(async (part) => ({ ...part, bytes: await bytesOf(part) })));
    return (item) => {
      const { key, start, end } = item.plan;
      const part = parts.find((one) => one.key === key && one.start <= start && end <= one.end);
      return parsePlan(item, part?.bytes?.subarray(start - part.start, end - part.start));
    };
  };
  const read = async (item: RequestItem): Promise<PlannedRequest | undefined> => (await readMany([item]))(item);
  const replace = async (request: PlannedRequest): Promise<RequestItem['plan']> => {
    const [key, text] = [movedRequestKey(request.importId, request.request), JSON.stringify(request)];
    const file = files.open(workBucket, key, 'application/json');
    await file.write(text);
    await file.close();
    return { key, start: 0, end: Buffer.byteLength(text), digest: hash('sha256', text) };
  };
  return { read, readMany, replace };
}

// The index beside plan.ndjson: one short line per request, so that a release does not read the rows again.

/** What the first rows of a request are sent with, without what is secret. */
export const planSample = z.object({
  /** What all rows of the request share. */
  head: z.record(z.string(), z.unknown()),
  rows: z.array(z.object({ line: z.int().check(z.positive()), subject: z.string() })),
});
export type PlanSample = z.infer<typeof planSample>;

export const indexedRequest = z.object({
  request: z.int().check(z.positive()),
  token: z.string(),
  label: z.string(),
  why: z.optional(z.string()),
  /** On which its numbers are ported. */
  day: z.optional(z.iso.date()),
  rowCount: z.int().check(z.positive()),
  plan: planRange,
  replaces: z.optional(replacedPort),
  /** Packed. A row of a correction has its line in the first file. */
  lines: z.string(),
  /** Of the first requests with different contents. */
  sample: z.optional(planSample),
});
export type IndexedRequest = z.infer<typeof indexedRequest>;

/**
 * The hash of a whole plan, from the digests of its requests in their order, and the ports that they replace: sync
 * cancels those. An approval names it. Each reading of a draft has another one: its settings may differ.
 */
export function createPlanHash({ reading }: ReadImport) {
  const hash = createHash('sha256');
  if (reading !== undefined) hash.update(JSON.stringify([reading.count, reading.key]));
  return {
    add: ({ request, token, plan: { digest }, replaces, lines }: IndexedRequest): void => {
      const replacement = replaces === undefined ? '' : `,${JSON.stringify([replaces, lines]).slice(1, -1)}`;
      // Neither a token nor a digest has a character that JSON escapes.
      hash.update(`[${request},"${token}","${digest}"${replacement}]`);
    },
    value: (): string => hash.copy().digest('hex'),
  };
}

/** In the order of the requests. @param etag of the index. @throws ObjectGone, also where the index has another etag */
export const readPlanIndex = (
  files: ObjectReader,
  workBucket: string,
  item: ReadImport,
  etag?: string,
): AsyncIterable<IndexedRequest> =>
  readJsonLines(files, { bucket: workBucket, key: planIndexKey(item), etag }, indexedRequest);
