// The items of the results table: what was planned and its outcome. Attribute names are for people who read the table
// in the AWS console. No item contains a PAC (spec gap 44).
import * as z from 'zod/mini';
import { dateOrders } from '../dates/date-order.ts';
import { issueCodes } from '../imports/issue.ts';
import { operationNames } from '../imports/operation-name.ts';
import { planRange } from '../imports/plan.ts';
import { count, instant, ordinal } from '../schemas.ts';
import { fileLayoutItem, issueItem } from './import-details.ts';
import { splitItem } from './split-item.ts';

/**
 * planning: the file is being read. planned: the plan is complete and waits for release or approval. rejected:
 * nothing of the file is submitted. submitting: some requests are still to be submitted. in-progress: every request
 * is submitted, ports are polled. finished: every request has ended.
 */
export const importStates = ['planning', 'planned', 'rejected', 'submitting', 'in-progress', 'finished'] as const;
export type ImportState = (typeof importStates)[number];

/**
 * planned -> in-flight -> created | accepted | declined | unknown; unknown -> created (adopted) | planned (safe to
 * retry) | declined (believed) | action-required; action-required -> created | planned | declined, as a person resolves
 * it. skipped: no row was left to submit.
 */
export const requestStates = [
  'planned',
  'in-flight',
  'unknown',
  'created',
  'accepted',
  'declined',
  'skipped',
  'action-required',
] as const;
export type RequestState = (typeof requestStates)[number];

const text = z.string();
const optionalText = z.optional(text);
const optionalInstant = z.optional(instant);
const optionalCount = z.optional(count);
const flag = z.optional(z.boolean());

export const tally = z.record(z.string(), count);
/** Counts by name: `{ created: 12, declined: 1 }`. */
export type Tally = z.infer<typeof tally>;

/**
 * When DynamoDB may delete the item, in seconds since 1970. All items of an import have that of the import.
 * @default - never
 */
const expiresAt = optionalCount;

/**
 * Who gave a command, in their own words, and why. `principal` comes from AWS: the id of a user, or of a role and its
 * session. It is absent where AWS names none.
 */
const requestedBy = z.object({
  by: text,
  because: optionalText,
  principal: optionalText,
});
export type RequestedBy = z.infer<typeof requestedBy>;

export const importItem = z.object({
  importId: text,
  account: z.int(),
  operation: z.nullable(z.enum(operationNames)),
  state: z.enum(importStates),
  bucket: text,
  key: text,
  versionId: optionalText,
  etag: text,
  bytes: count,
  /** The plan is released only after a person approves it. */
  planOnly: z.boolean(),
  expiresAt,
  /** Who uploaded the file and from where, by the event of S3; of the API where it uploaded the file for a person. */
  uploadedBy: z.optional(z.object({ principal: text, sourceIp: optionalText, isOfConsole: z.optional(z.boolean()) })),
  /** The last approval that had no effect, and why. */
  declinedApproval: z.optional(z.object({ ...requestedBy.shape, at: instant, reason: text })),
  /** Attempts to plan the file that were begun, without those that ended with an error. */
  planningStarts: optionalCount,
  /** Of the plan, once it is complete: an approval names it (shared/store/files/plan-index.ts). */
  planHash: optionalText,
  approvedAt: optionalInstant,
  /** Who approved or rescheduled it. */
  requestedBy: z.optional(requestedBy),
  /** The import of a later version of the same file, which existed before this one started. */
  supersededBy: optionalText,
  /** Wall time until which ingest works on the import. If it is not planned by then, its message is lost or hidden. */
  attemptUntil: optionalInstant,
  /** The last request that the release reached before its deadline: stored while `planned`, its message sent later. */
  releasedTo: optionalCount,
  /** This import moves ports of another import to `date`, a day or `auto`; its rows are rows of that import's file. */
  reschedules: z.optional(z.object({ importId: text, date: text })),
  /** As its upload set it. @default - the setting of the environment */
  onInvalidPac: z.optional(z.enum(['wait', 'remove'])),
  /** The file of this import was written for this import, whose rows it corrects. */
  correctionOf: optionalText,
  /** The first import of the chain of corrections: its rows are answered by this one. */
  rootImportId: optionalText,
  /** Other imports correct rows of this one. */
  hasCorrections: flag,
  receivedAt: instant,
  changedAt: instant,
  /** Canonical column name to the index of its cell in the file; absent until ingest has read the header. */
  columnIndexes: z.optional(z.record(z.string(), count)),
  /** The same in files for people, where the file's own columns are first. @default - as in the file */
  columnIndexesForPeople: z.optional(z.record(z.string(), count)),
  /** How the file was read, so that its results are read in the same way. */
  layout: z.optional(fileLayoutItem),
  /** The order of day, month and year in the date columns that are not in the format YYYY-MM-DD. */
  dateOrders: z.optional(z.record(z.string(), z.enum(dateOrders))),
  /** Values for empty cells of whole columns, by canonical name. Values that may contain a PAC are left out. */
  columnValues: z.optional(z.record(z.string(), z.string())),
  rows: count,
  accepted: count,
  rejected: count,
  /** Those of the rejected rows that only repeat an earlier row. */
  duplicates: optionalCount,
  warnings: count,
  requestCount: count,
  /** Findings about the file and the first ones about rows; `issues.ndjson` in the results bucket has all of them. */
  issues: z.array(issueItem),
  /** Requests by state, ports by status name, as of the last roll-up. */
  requests: tally,
  ports: tally,
  actionRequired: count,
  skippedRows: count,
  freedPorts: optionalCount,
  /** Rows that are cancelled while their port continues. */
  cancelledRows: optionalCount,
  /** Rows of each correction file as last written, by the operation of the file. */
  corrections: z.optional(tally),
  /** Rows by outcome, as results.csv was last written. */
  outcomes: z.optional(tally),
  /** SIMs with service mismatches; `revision` grows with every comparison. */
  mismatches: z.optional(z.object({ sims: count, revision: count })),
  /** Sum of the requests' revisions at the last roll-up. It only grows, so no older roll-up overwrites a newer one. */
  ledgerRevision: optionalCount,
  /** The state for which results.csv was last written: when it differs from the item, the file is written again. */
  reported: optionalText,
  /** Wall time until which report does not refresh a large import. */
  throttledUntil: optionalInstant,
  /** When the last delayed refresh message is due. */
  refreshAt: optionalInstant,
});
export type ImportItem = z.infer<typeof importItem>;

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
});
export type RequestError = z.infer<typeof requestError>;

/** What is not believed before the port list agrees with it: an answer, or a list without a single port. */
export const unverifiedAnswer = z.object({
  /**
   * `decline`: it may have created the port all the same. `port-id`: it named a port that is not of this request.
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
  /** Calendar time at which the cancellation was last requested, or was seen to be in progress. */
  cancelRequestedAt: optionalInstant,
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
  /** Wall time from which sync must process this request; absent once it must not. */
  dueAt: optionalInstant,
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
  /** Rows of the port that need action. */
  actionRequired: optionalCount,
  /** Rows that were cancelled while the port continued. */
  cancelledRows: optionalCount,
  /** Set once no row can change any more: then other imports may claim its numbers. */
  endedAt: optionalInstant,
  error: z.optional(requestError),
  resolution: z.optional(resolved),
  excludedRows: z.optional(z.array(excludedRow)),
  /** @default - the request is sent as a whole */
  split: z.optional(splitItem),
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

export const portRowState = z.object({
  line: ordinal,
  msisdn: text,
  status: text,
  message: optionalText,
});
/** One row of a port as last read; `line` is its line in the CSV, `msisdn` is E.164 digits. */
export type PortRowState = z.infer<typeof portRowState>;

export const portItem = z.object({
  portId: text,
  account: z.int(),
  importId: text,
  request: ordinal,
  name: text,
  /** `statusName` exactly as the service wrote it. */
  status: text,
  connectionDate: text,
  rowCount: count,
  /** Rows that are ready, and rows that block them (spec: "only when all lines are PacValid or Cancelled"). */
  readyRows: count,
  blockingRows: count,
  /** Rows that need action. */
  actionRequired: count,
  /** The cancellation deadline in calendar time; absent once the port can no longer be cancelled. */
  cancelBy: optionalInstant,
  /** What is wrong with the port as a whole, in words. */
  concern: optionalText,
  /** Other ports with the same numbers: a person must choose which port stays. */
  duplicatePortIds: z.optional(z.array(text)),
  /** Consecutive reads that the service answered with 404 (spec gap 33). */
  missingReads: count,
  /** Consecutive failed reads while the service answered other calls. */
  failedReads: optionalCount,
  /** Calendar time at which the last successful read began: the answer of an earlier read never overwrites it. */
  readAt: instant,
  /** Calendar time of the next read; absent once the port has ended. */
  dueAt: optionalInstant,
  changedAt: instant,
  expiresAt,
});
export type PortItem = z.infer<typeof portItem>;

export const portEvent = z.object({
  portId: text,
  at: instant,
  status: text,
  was: optionalText,
  /** The owner of the port, for announce, which reads only this item. */
  importId: optionalText,
  request: z.optional(ordinal),
  expiresAt,
});
export type PortEvent = z.infer<typeof portEvent>;

/** The last reading of one row. Written only when the row starts or stops to need action, or has ended. */
export const latestReading = z.object({
  portId: text,
  status: text,
  message: optionalText,
  /** Calendar time at which the read began: an earlier read never overwrites it. */
  readAt: instant,
  /** The row has ended: the number is free for another import. */
  ended: z.boolean(),
});
export type LatestReading = z.infer<typeof latestReading>;

/** A port of a number that is complete. `at`: calendar time at which it was read to be complete. */
export const portedNumber = z.object({ importId: text, line: ordinal, at: instant });
export type PortedNumber = z.infer<typeof portedNumber>;

/** The claim of a number: the row that it belongs to. Its current state is read from that request and its port. */
export const numberItem = z.object({
  number: text,
  importId: text,
  request: ordinal,
  line: ordinal,
  claimedAt: instant,
  latest: z.optional(latestReading),
  /** The latest complete port by an earlier claim. */
  ported: z.optional(portedNumber),
  expiresAt,
});
export type NumberItem = z.infer<typeof numberItem>;
