// One request of a plan by its bytes; the index of a plan.
import { createHash, hash } from 'node:crypto';
import * as z from 'zod/mini';
import {
  type PlannedRequest,
  plannedRequest,
  planRange,
  type RequestItem,
  replacedPort,
} from '#shared/request/request.ts';
import { UnreadableItem } from '#shared/row/issue.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import { type Files, type ObjectReader, readJsonLines } from './files.ts';
import { isObjectGone, movedRequestKey, planIndexKey } from './object-keys.ts';

// Reads one request of a plan: exactly its byte range, and checks that it is the right request. Replaces one whose port
// has changed since it was planned.

export interface Plans {
  /** undefined: the plan has expired. @throws PlanMismatch when the bytes are not this request */
  read(item: RequestItem): Promise<PlannedRequest | undefined>;
}

export interface ChangeablePlans extends Plans {
  /** Answers where the request is from now on. */
  replace(request: PlannedRequest): Promise<RequestItem['plan']>;
}

/** The byte range does not contain this request, so nothing may be sent from it. */
export class PlanMismatch extends UnreadableItem {
  override readonly name = 'PlanMismatch';
}

export function createPlans(files: Files, workBucket: string): ChangeablePlans {
  const bytesOf = async ({ plan: { key, start, end } }: RequestItem): Promise<string | undefined> => {
    try {
      return await files.readText({ bucket: workBucket, key }, { start, end });
    } catch (error) {
      if (isObjectGone(error)) return undefined;
      throw error;
    }
  };

  const read = async (item: RequestItem): Promise<PlannedRequest | undefined> => {
    const { key, start, end, digest } = item.plan;
    const text = await bytesOf(item);
    if (text === undefined) return undefined;
    const place = `${key}, bytes ${start} to ${end}`;
    if (digest !== undefined && hash('sha256', text) !== digest)
      throw new PlanMismatch(place, 'changed since the plan');
    const parsed = plannedRequest.safeParse(parseJson(text));
    if (!parsed.success) throw new PlanMismatch(place, 'not a planned request');
    const { importId, request, token } = parsed.data;
    if (importId !== item.importId || request !== item.request || token !== item.token) {
      throw new PlanMismatch(
        place,
        `request ${request} of import ${importId}, not ${item.request} of ${item.importId}`,
      );
    }
    return parsed.data;
  };
  const replace = async (request: PlannedRequest): Promise<RequestItem['plan']> => {
    const [key, text] = [movedRequestKey(request.importId, request.request), JSON.stringify(request)];
    const file = files.open(workBucket, key, 'application/json');
    await file.write(text);
    await file.close();
    return { key, start: 0, end: Buffer.byteLength(text), digest: hash('sha256', text) };
  };
  return { read, replace };
}

// The index beside plan.ndjson: one short line per request, so that a release does not read the rows again.

export const indexedRequest = z.object({
  request: z.int().check(z.positive()),
  token: z.string(),
  label: z.string(),
  why: z.optional(z.string()),
  rowCount: z.int().check(z.positive()),
  plan: planRange,
  replaces: z.optional(replacedPort),
  /** Packed line numbers; only with `replaces`, because such a request is shown by its lines while it waits. */
  lines: z.optional(z.string()),
});
export type IndexedRequest = z.infer<typeof indexedRequest>;

/** The hash of a whole plan, from the digests of its requests in their order. An approval names it. */
export function createPlanHash() {
  const hash = createHash('sha256');
  return {
    add: ({ request, token, plan: { digest } }: IndexedRequest): void => {
      hash.update(JSON.stringify([request, token, digest]));
    },
    value: (): string => hash.copy().digest('hex'),
  };
}

/** In the order of the requests. @throws ObjectGone */
export const readPlanIndex = (
  files: ObjectReader,
  workBucket: string,
  importId: string,
): AsyncIterable<IndexedRequest> =>
  readJsonLines(files, { bucket: workBucket, key: planIndexKey(importId) }, indexedRequest);
