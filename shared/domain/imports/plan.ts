// The plan of an import: every API call that it will make, one on each line of `plan.ndjson`. It is complete before
// the first call is released. Submit reads exactly the byte range that its message names.
import * as z from 'zod/mini';
import { ordinal } from '../schemas.ts';
import { operationNames } from './operation-name.ts';

const filled = z.string().check(z.minLength(1));

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

/** A message of the submit queue: small, without personal data (spec gap 44). */
export const submitMessage = z.object({ importId: z.string(), request: ordinal, plan: planRange });
export type SubmitMessage = z.infer<typeof submitMessage>;

/** The message about a request of the ledger. */
export const submitMessageOf = ({ importId, request, plan }: SubmitMessage): SubmitMessage => ({
  importId,
  request,
  plan,
});

/** A message of the report queue: something in this import changed. */
export const reportMessage = z.object({ importId: z.string() });
export type ReportMessage = z.infer<typeof reportMessage>;

/** Who gave the command, and why. */
const actor = { by: z.optional(z.string()), because: z.optional(z.string()) };

/**
 * A command of a person in the ingest queue: release the plan of this import. `plan` is the hash of the plan that the
 * person saw.
 */
export const approvalMessage = z.object({
  approve: filled,
  plan: z.optional(filled),
  /** The person for whom the API sends it: the audit trail of the import has their approval. */
  actorId: z.optional(filled),
  ...actor,
});
export type ApprovalMessage = z.infer<typeof approvalMessage>;

/** A command of a person in the ingest queue: move the ports of an import to another date. `ask` is unique to it. */
export const rescheduleMessage = z.object({
  reschedule: filled,
  /** `YYYY-MM-DD`, or `auto` for the earliest day that can be booked. */
  date: z.union([z.literal('auto'), z.iso.date()]),
  /** Only these requests; absent for all of them. */
  requests: z.optional(z.array(ordinal).check(z.minLength(1))),
  ask: filled,
  ...actor,
});
export type RescheduleMessage = z.infer<typeof rescheduleMessage>;
