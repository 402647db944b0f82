// The plan of an import: every API call it will make, one per line of `plan.ndjson`. It stands complete before the first
// call is released, and submit reads back exactly the byte range that its message names.
import * as z from 'zod/mini';
import { operationNames } from './operation-name.ts';

const filled = z.string().check(z.minLength(1));
const ordinal = z.int().check(z.positive());

/** One CSV record on its way: its line, the thing it is about (an E.164 MSISDN, or a SIM serial), its part of the body. */
export const plannedRow = z.object({ line: ordinal, subject: z.string(), wire: z.unknown() });
export type PlannedRow = z.infer<typeof plannedRow>;

/**
 * One API call to make: a group, cut to at most `maxRowsPerRequest` rows. `head` is what all rows share, in a shape that
 * only the operation knows. `token` is unique to (import, request) and ends the port's name: by it we know our own port.
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

/** Where one request stands in `plan.ndjson`: bytes `start` (inclusive) to `end` (exclusive, without the line feed). */
export const planRange = z.object({
  key: z.string(),
  start: z.int().check(z.nonnegative()),
  end: ordinal,
});

/** The submit queue's message: small, without any personal data (decision 44). */
export const submitMessage = z.object({ importId: z.string(), request: ordinal, plan: planRange });
export type SubmitMessage = z.infer<typeof submitMessage>;

/** The report queue's message: something of this import changed. */
export const reportMessage = z.object({ importId: z.string() });
export type ReportMessage = z.infer<typeof reportMessage>;

/** Who asks, and why. */
const asking = { by: z.optional(z.string()), because: z.optional(z.string()) };

/** To the ingest queue, from a person: release the plan of this import, which waited for it. */
export const approvalMessage = z.object({ approve: filled, ...asking });
export type ApprovalMessage = z.infer<typeof approvalMessage>;

/** To the ingest queue, from a person: move the ports of an import to another date. `ask` is unique to the asking. */
export const rescheduleMessage = z.object({
  reschedule: filled,
  /** `YYYY-MM-DD`, or `auto` for the earliest day that can be booked. */
  date: z.union([z.literal('auto'), z.iso.date()]),
  /** Only these requests; all of them when absent. */
  requests: z.optional(z.array(ordinal).check(z.minLength(1))),
  ask: filled,
  ...asking,
});
export type RescheduleMessage = z.infer<typeof rescheduleMessage>;
