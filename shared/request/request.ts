// The item of a request: schema, key, queues; its line of plan.ndjson; what the service answered.
import * as z from 'zod/mini';
import { importPk } from '#shared/import/import.ts';
import { issueCodes } from '#shared/row/issue.ts';
import { operationNames } from '#shared/text/identity.ts';
import {
  count,
  expiresAt,
  flag,
  type ItemKey,
  instant,
  optionalCount,
  optionalInstant,
  optionalText,
  ordinal,
  padded,
  shardOf,
  tally,
  text,
} from '#shared/text/stored-values.ts';

// The item of a request: one call of the service, and what came of it.

/**
 * planned -> in-flight -> created | accepted | declined | unknown; planned -> scheduled -> planned, once the date of
 * its port can be booked; unknown -> created (adopted) | planned (safe to retry) | declined (believed) | action-
 * required; action-required -> created | planned | declined, as a person resolves it; planned | scheduled -> skipped:
 * no row was left to submit, or the import was ended.
 */
export const requestStates = [
  'planned',
  'scheduled',
  'in-flight',
  'unknown',
  'created',
  'accepted',
  'declined',
  'skipped',
  'action-required',
] as const;
export type RequestState = (typeof requestStates)[number];

/** A row that was excluded from its request, and why. */
export const excludedRow = z.object({
  line: ordinal,
  subject: text,
  code: z.enum(issueCodes),
  message: text,
});
export type ExcludedRow = z.infer<typeof excludedRow>;

export const splitItem = z.object({
  /** How often a part was halved, or sent again without the rows that were named. */
  steps: count,
  /** The part that is sent now. */
  current: z.string(),
  /** Parts that were not sent yet, the next one first. */
  waiting: z.array(z.string()),
  accepted: z.array(z.object({ lines: z.string(), ticket: z.string() })),
});
export type Split = z.infer<typeof splitItem>;

/** Accepted rows whose SIMs are read back, packed by `packLines`. Every other accepted row has what it requested. */
export const readBackItem = z.object({
  /** The SIM was not read yet, or differed while the service may still be working on it. */
  waiting: z.string(),
  differing: z.string(),
  /** The service did not show the SIM, or the plan has expired. */
  unread: z.string(),
});
export type ReadBack = z.infer<typeof readBackItem>;

/** Why the last attempt failed. */
export const requestError = z.object({
  kind: text,
  message: text,
  status: z.optional(z.int()),
  /** The lines whose numbers the service named; empty or absent if it named none. */
  lines: z.optional(z.array(ordinal)),
});
export type RequestError = z.infer<typeof requestError>;

/** What is not believed before the port list agrees with it: an answer, or a list without a single port. */
export const unverifiedAnswer = z.object({
  /**
   * `decline`: it may still have created the port. `port-id`: it named a port that is not of this request.
   * `none`: there was no answer, or a person decided to resend the request, and the list was empty.
   */
  answer: z.enum(['decline', 'port-id', 'none']),
  /** The declined rows, if the others may be sent without them. */
  named: z.optional(z.array(excludedRow)),
  /** Searches that proved that the list has no port of the request. */
  absences: count,
});

/** The port that a request replaces once the service has cancelled it. */
export const replacedPort = z.object({
  importId: text,
  request: ordinal,
  portId: text,
  /** Calendar time at which simporter asked for the cancellation; absent where the service took none of it. */
  cancelRequestedAt: optionalInstant,
  /** Calendar time at which that was last repeated, or seen to be in progress. */
  cancelCheckedAt: optionalInstant,
  /** Wall time at which it was read as Cancelled: from then on the request may be submitted. */
  cancelledAt: optionalInstant,
});
export type ReplacedPort = z.infer<typeof replacedPort>;

/** How a person resolved a request that required action, or that created more than one port. */
export const resolved = z.object({
  at: instant,
  by: text,
  what: z.enum(['adopt', 'resend', 'abandon', 'keep']),
  because: optionalText,
});
export type Resolved = z.infer<typeof resolved>;

/** The place of a request in `plan.ndjson`: bytes `start` (inclusive) to `end` (exclusive, without the line feed). */
export const planRange = z.object({
  key: z.string(),
  start: z.int().check(z.nonnegative()),
  end: ordinal,
  /** SHA-256 of these bytes: what was planned is what is sent. */
  digest: z.optional(z.string()),
});

export const requestItem = z.object({
  importId: text,
  request: ordinal,
  operation: z.enum(operationNames),
  state: z.enum(requestStates),
  label: text,
  token: text,
  rowCount: ordinal,
  plan: planRange,
  attempt: count,
  /** Counts the changes of this item, for conditional writes. Absent means 0. */
  revision: optionalCount,
  /**
   * Wall time from which sync must process this request, in calendar time while it is `scheduled`; absent once it must
   * not.
   */
  dueAt: optionalInstant,
  /** `scheduled`: the day on which it is sent. */
  sendOn: z.optional(z.iso.date()),
  /** Calendar time of the last attempt. */
  submittedAt: optionalInstant,
  /** The submitted lines, packed by `packLines`; known from the first attempt on. */
  lines: optionalText,
  /** The request waits until this port is cancelled. */
  replaces: z.optional(replacedPort),
  portId: optionalText,
  ticket: optionalText,
  /** The port that an update or a cancellation changed; it belongs to the request that created it. */
  changedPortId: optionalText,
  /** Further ports of the same request, found by a late answer or by reconcile: a person must choose one. */
  duplicatePortIds: z.optional(z.array(text)),
  /** Its port was created after it had ended, or was stopped: another import may have its numbers. */
  isLate: flag,
  /** Former duplicates that a person did not keep and that have ended. */
  formerPortIds: z.optional(z.array(text)),
  /** Consecutive reads of the expected port that the service answered with 404 (spec gap 33). */
  missingReads: optionalCount,
  /** The state is `unknown` because of this answer; `error` is its message. */
  unverified: z.optional(unverifiedAnswer),
  /** The outcome of an earlier attempt is unknown: the service may execute it late. */
  hasUnknownAttempt: flag,
  /** Consecutive searches that did not prove whether the request created a port. */
  inconclusiveSearches: optionalCount,
  /** The last known `statusName` of the port. */
  portStatus: optionalText,
  /** Rows of the port by outcome, and its date (YYYY-MM-DD), as last read. Written with the rows (decision 60). */
  portRows: z.optional(tally),
  portDate: optionalText,
  /** Rows of the port that need action. */
  actionRequired: optionalCount,
  /** Set once no row can change any more: then other imports may claim its numbers. */
  endedAt: optionalInstant,
  error: z.optional(requestError),
  resolution: z.optional(resolved),
  /** The resolution is carried out once the port list, too long for one run, has shown which ports exist. */
  awaitsProof: flag,
  excludedRows: z.optional(z.array(excludedRow)),
  /** @default - the request is sent as a whole */
  split: z.optional(splitItem),
  /** @default - an accepted request is not read back */
  readBack: z.optional(readBackItem),
  /** Lines that were removed from the port because they blocked others, packed by `packLines`. */
  removedRows: optionalText,
  /** What was changed just before the submission: a date that was rolled forward, and why. */
  note: optionalText,
  /** Holidays of the network right before the port date, as known just before the submission. */
  holidays: z.optional(z.array(z.iso.date())),
  changedAt: instant,
  expiresAt,
});
export type RequestItem = z.infer<typeof requestItem>;

// What the service answered to one attempt of a request.

/** The answer to one attempt. The first three did something; `ambiguous` may have. */
export type Answer =
  | { readonly kind: 'created'; readonly portId: string }
  | Accepted
  | { readonly kind: 'changed'; readonly portId: string }
  | Declined
  | { readonly kind: 'not-sent'; readonly error: RequestError }
  | { readonly kind: 'ambiguous'; readonly error: RequestError };

export interface Accepted {
  readonly kind: 'accepted';
  readonly ticket: string;
  /** The request ends once its SIMs were read back. @default - it ends with the ticket */
  readonly isReadBack?: boolean;
}

export interface Declined {
  readonly kind: 'declined';
  readonly error: RequestError;
  /** The declined rows with their reasons, if the other rows may be submitted without them. */
  readonly named?: readonly ExcludedRow[] | undefined;
  /** In how many parts the rows of the call are sent again, where that is bounded. */
  readonly parts?: 1 | 2;
  /** Of a request that is sent in parts: the rows of this part with their reasons. */
  readonly part?: readonly ExcludedRow[] | undefined;
  /** The service may still have executed this attempt or an earlier one. */
  readonly isDoubtful?: boolean;
}

// The plan of an import: every API call that it will make, one on each line of `plan.ndjson`. It is complete before
// the first call is released. Submit reads exactly the byte range that its message names.

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

export const requestPrefix = 'request#';
export const requestKey = (importId: string, request: number): ItemKey => ({
  pk: importPk(importId),
  sk: `${requestPrefix}${padded(request)}`,
});

export const requestQueue = (shard: number): string => `requests#${shard}`;
export const requestQueueOf = (token: string): string => requestQueue(shardOf(token));
/** Requests that wait for submit. A large import has thousands: they must not keep others from being read. */
export const plannedQueue = (shard: number): string => `planned#${shard}`;
export const plannedQueueOf = (token: string): string => plannedQueue(shardOf(token));

/** Requests that wait for a port to be cancelled. One partition: every run of sync reads each of them. */
export const heldQueue = 'held';
/** Requests that are sent on a later day. One partition: submit schedules a request once. */
export const scheduledQueue = 'scheduled';
/** Requests for which action is required. One partition, because requests do not name their account. */
export const requestsListed = 'requests';
