// The plan of an import: every API call that it will make, one on each line of `plan.ndjson`. It is complete before
// the first call is released. Submit reads exactly the byte range that its message names.
import * as z from 'zod/mini';
import { ordinal } from '../schemas.ts';
import { operationNames } from './operation-name.ts';

/**
 * One CSV row: its line, its subject (an E.164 MSISDN or a SIM serial), and its part of the request body. In a
 * correction also the row of the first file that it answers for, `<import>/<line>`, which is claimed before it is sent.
 */
export const plannedRow = z.object({
  line: ordinal,
  subject: z.string(),
  wire: z.unknown(),
  correctedRow: z.optional(z.string()),
});
export type PlannedRow = z.infer<typeof plannedRow>;

/**
 * One API call: a group of rows, cut to at most `maxRowsPerRequest`. Only the operation knows the shape of `head`,
 * which all rows share. `token` is unique to (import, request) and ends the name of the port, which identifies our
 * own port.
 */
export const plannedRequest = z.object({
  importId: z.string(),
  request: ordinal,
  operation: z.enum(operationNames),
  token: z.string(),
  label: z.string(),
  head: z.unknown(),
  rows: z.array(plannedRow).check(z.minLength(1)),
});
export type PlannedRequest = z.infer<typeof plannedRequest>;

/** The place of a request in `plan.ndjson`: bytes `start` (inclusive) to `end` (exclusive, without the line feed). */
export const planRange = z.object({
  key: z.string(),
  start: z.int().check(z.nonnegative()),
  end: ordinal,
  /** SHA-256 of these bytes: what was planned is what is sent. */
  digest: z.optional(z.string()),
});
