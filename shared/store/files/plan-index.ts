// The index beside plan.ndjson: one short line per request, so that a release does not read the rows again.
import * as z from 'zod/mini';
import { planRange } from '#shared/domain/imports/plan.ts';
import { replacedPort } from '#shared/domain/requests/ledger.ts';
import type { Files } from './files.ts';
import { readJsonLines } from './json-lines.ts';
import { planIndexKey } from './object-keys.ts';

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

/** In the order of the requests. @throws ObjectGone */
export const readPlanIndex = (
  files: Pick<Files, 'read'>,
  workBucket: string,
  importId: string,
): AsyncIterable<IndexedRequest> =>
  readJsonLines(files, { bucket: workBucket, key: planIndexKey(importId) }, indexedRequest);
