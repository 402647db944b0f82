// The index beside plan.ndjson: one short line per request, so that a release does not read the rows again.
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { planRange } from '#shared/domain/imports/plan.ts';
import { replacedPort } from '#shared/request/request.ts';
import type { ObjectReader } from '#shared/store/files.ts';
import { planIndexKey } from '#shared/store/object-keys.ts';
import { readJsonLines } from './json-lines.ts';

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
