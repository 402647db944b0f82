// A request: its item, its keys and queues, its line of plan.ndjson, and what the service answered to it.
import * as z from 'zod/mini';
import { importPk } from '#shared/import/import.ts';
import { issueCodes } from '#shared/row/issue.ts';
import { numberInPlan, operationNames, partOf } from '#shared/text/identity.ts';
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
  tally,
  text,
} from '#shared/text/stored-values.ts';

// The item of a request: one call of the service, and what came of it.

/**
 * planned -> in-flight -> created | accepted | declined | unknown; planned -> scheduled -> planned, once the date of
 * its port can be booked; planned -> accepted, where an earlier call has made the change before its import was stopped;
 * unknown -> created (adopted) | planned (safe to retry) | declined (believed) | action-required; action-required ->
 * created | planned | declined, as a person resolves it; planned | scheduled -> skipped: no row was left to submit, or
 * the import was ended.
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

/** Why the last attempt failed. */
export const requestError = z.object({
  kind: text,
  message: text,
  status: z.optional(z.int()),
  /** The lines whose numbers the service named; empty or absent if it named none. */
  lines: z.optional(z.array(ordinal)),
  /** A part was declined: the answers to the other parts decide whether its rows are sent again. */
  isUndecided: flag,
});
export type RequestError = z.infer<typeof requestError>;

/** What is in doubt until the port list has shown it, and how far its search is. */
export const portSearch = z.object({
  /**
   * `answer`: the service gave none. `decline`: it may still have created the port. `own-port`: it named a port that is
   * not of this request. `resend`, `abandon`: a person decided so, and the list was empty, or is too long for one run.
   */
  for: z.enum(['answer', 'decline', 'own-port', 'resend', 'abandon']),
  /** Searches that proved that the list has no port of the request. */
  absences: count,
  /** Consecutive searches since that proved nothing. */
  failures: count,
  /** `decline`: the declined rows, if the others may be sent without them. */
  named: z.optional(z.array(excludedRow)),
});
export type PortSearch = z.infer<typeof portSearch>;

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
  digest: z.string(),
});

export const requestItem = z.object({
  /** Of its import. */
  account: text,
  importId: text,
  request: ordinal,
  operation: z.enum(operationNames),
  state: z.enum(requestStates),
  label: text,
  token: text,
  rowCount: ordinal,
  plan: planRange,
  attempt: count,
  /** Counts the changes of this item, for conditional writes. */
  revision: count,
  /** A random text of the last write, by which its writer recognises it. Only `replace` of the store sets it. */
  writtenBy: optionalText,
  /**
   * Wall time from which sync must process this request, in calendar time while it is `scheduled`; absent once it must
   * not.
   */
  dueAt: optionalInstant,
  /** `scheduled`: the day on which it is sent. */
  sendOn: z.optional(z.iso.date()),
  /** Calendar time of the last attempt. */
  submittedAt: optionalInstant,
  /** The submitted lines, packed by `packLines`; known from the first attempt on, or once it is known why it waits. */
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
  /**
   * Its outcome is unknown; `error` is why.
   * @default - for the answer: no search has ended yet
   */
  search: z.optional(portSearch),
  /** The outcome of an earlier attempt is unknown: the service may execute it late. */
  hasUnknownAttempt: flag,
  /** The last known `statusName` of the port. */
  portStatus: optionalText,
  /** Rows of the port by outcome, and its date (YYYY-MM-DD), as last read. Written with the rows (decision 3). */
  portRows: z.optional(tally),
  portDate: optionalText,
  /**
   * Accepted rows by outcome, where their SIMs are read back. Written with the comparison, which has the rows.
   * @default - the request is done with its ticket
   */
  simRows: z.optional(tally),
  /** Rows of the port, or SIMs, that need action. */
  actionRequired: optionalCount,
  /** Set once no row can change any more: then other imports may claim its numbers. */
  endedAt: optionalInstant,
  error: z.optional(requestError),
  resolution: z.optional(resolved),
  excludedRows: z.optional(z.array(excludedRow)),
  /**
   * The lines of the parts in which its rows are sent again, packed by `packLines`. Each part is a request, and this
   * one has ended (decision 37).
   */
  parts: z.optional(z.array(text)),
  /** The lines of a part; its plan is that of the request that was divided. */
  part: optionalText,
  /** Lines that were removed from the port because they blocked others, packed by `packLines`. */
  removedRows: optionalText,
  /** What was changed just before the submission: a date that was rolled forward, and why. */
  note: optionalText,
  /** Holidays of the network right before the port date, as known just before the submission. */
  holidays: z.optional(z.array(z.iso.date())),
  changedAt: instant,
  /** Wall time since which sync has to come back to it, through every attempt: how long it has been unfinished. */
  unfinishedSince: optionalInstant,
  expiresAt,
});
export type RequestItem = z.infer<typeof requestItem>;

// What the service answered to one attempt of a request.

/** The answer to one attempt. The first three did something; `ambiguous` may have. */
export type Answer =
  | { readonly kind: 'created'; readonly portId: string }
  | Accepted
  | { readonly kind: 'changed'; readonly portId: string }
  | ({ readonly kind: 'declined' } & Declined)
  | { readonly kind: 'not-sent'; readonly error: RequestError }
  | Ambiguity;

export interface Accepted {
  readonly kind: 'accepted';
  readonly ticket: string;
  /** The request ends once its SIMs were read back. @default - it ends with the ticket */
  readonly isReadBack?: boolean;
}

interface Ambiguity {
  readonly kind: 'ambiguous';
  readonly error: RequestError;
  /** The outcome of the rows that were declined by name before is unknown, too. @default false */
  readonly isOfAllRows?: boolean | undefined;
}

export interface Declined extends DeclinedRows {
  readonly error: RequestError;
  /** The service may still have executed this attempt or an earlier one. */
  readonly isDoubtful?: boolean;
}

/** What becomes of the rows of a declined call. */
export interface DeclinedRows {
  /** The declined rows with their reasons, if the other rows may be submitted without them. */
  readonly named?: readonly ExcludedRow[] | undefined;
  /**
   * What becomes of the rows that were not named, where the service may have declined them for others. `in-parts`: they
   * are sent again. `later`: the answers to the other parts of the request decide. @default - they are declined
   */
  readonly others?: 'in-parts' | 'later' | undefined;
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

/** The line in the first file, of a row that a correction sends. */
export const firstLineOf = ({ correctedRow }: Pick<PlannedRow, 'correctedRow'>): { readonly firstLine?: number } =>
  correctedRow === undefined ? {} : { firstLine: Number(correctedRow.split('/').at(-1)) };

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
  sk: `${requestPrefix}${placeOfRequest(request)}`,
});

/**
 * The place of a request in its import: texts in the order of the plan. The parts of a request follow it, so that a
 * reader of an import has read what was divided before its parts.
 */
export const placeOfRequest = (request: number): string => `${padded(numberInPlan(request))}${placesOfParts(request)}`;

function placesOfParts(request: number): string {
  const part = partOf(request);
  return part === undefined ? '' : `${placesOfParts(part.request)}#${String(part.place).padStart(2, '0')}`;
}

/** Sync reads the queues of one account, so that whatever is due of another one waits there. */
export const requestQueue = (account: string, shard: number): string => `requests#${account}#${shard}`;
/** Requests that wait for submit. A large import has thousands: they must not keep others from being read. */
export const plannedQueue = (account: string, shard: number): string => `planned#${account}#${shard}`;

/** Requests that wait for a port to be cancelled. One partition: every run of sync reads each of them. */
export const heldQueue = (account: string): string => `held#${account}`;
/** Requests that are sent on a later day. One partition: submit schedules a request once. */
export const scheduledQueue = (account: string): string => `scheduled#${account}`;
/** Requests for which action is required. */
export const requestsListed = 'unknown-outcomes';
