// The item of a request: one call of the service, and what came of it.
import * as z from 'zod/mini';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { planRange } from '#shared/domain/imports/plan.ts';
import { count, instant, ordinal } from '#shared/domain/schemas.ts';
import { expiresAt, flag, optionalCount, optionalInstant, optionalText, tally, text } from '#shared/items/fields.ts';
import { issueCodes } from '#shared/row/issue.ts';

/**
 * planned -> in-flight -> created | accepted | declined | unknown; planned -> scheduled -> planned, once the date of
 * its port can be booked; unknown -> created (adopted) | planned (safe to retry) | declined (believed) | action-
 * required; action-required -> created | planned | declined, as a person resolves it. skipped: no row was left to
 * submit.
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
   * `none`: a person decided to resend the request, and the list was empty.
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
