// The items of the results table: what was intended and what came of it. Attribute names are for a person reading the
// table in the console. No item holds a PAC (decision 44).
import * as z from 'zod';
import { issueCodes } from './issue.ts';
import { operationNames } from './operation-name.ts';
import { planRange } from './plan.ts';

/**
 * planning: the file is being read. planned: the plan stands and waits for approval. refused: nothing of the file was
 * sent. submitting: requests are on their way. following: every request was sent, ports are on theirs. completed: every
 * request has ended.
 */
export const importStates = ['planning', 'planned', 'refused', 'submitting', 'following', 'completed'] as const;
export type ImportState = (typeof importStates)[number];

/**
 * planned -> in-flight -> created | accepted | refused | unknown; unknown -> created (adopted) | planned (safe to retry)
 * | needs-human; needs-human -> created | planned | refused, as a person decides. `withdrawn` is a request of which no row
 * was left to send.
 */
export const requestStates = [
  'planned',
  'in-flight',
  'unknown',
  'created',
  'accepted',
  'refused',
  'withdrawn',
  'needs-human',
] as const;
export type RequestState = (typeof requestStates)[number];

const instant = z.iso.datetime();
export const tally = z.record(z.string(), z.int().nonnegative());
/** How many of each: `{ created: 12, refused: 1 }`. */
export type Tally = z.infer<typeof tally>;

const issueItem = z.object({
  line: z.int().nonnegative(),
  column: z.string().nullable(),
  code: z.enum(issueCodes),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'notice']),
});

export const importItem = z.object({
  importId: z.string(),
  account: z.int(),
  operation: z.enum(operationNames).nullable(),
  state: z.enum(importStates),
  bucket: z.string(),
  key: z.string(),
  versionId: z.string().optional(),
  etag: z.string(),
  bytes: z.int().nonnegative(),
  /** Stops at the plan until a person approves it. */
  planOnly: z.boolean(),
  approvedAt: instant.optional(),
  /** The import of a later version of the same file, which was there already when this one was begun. */
  supersededBy: z.string().optional(),
  /** It moves ports of this import to another date, `auto` or a day; its lines are some of that import's file. */
  reschedules: z.object({ importId: z.string(), date: z.string() }).optional(),
  receivedAt: instant,
  changedAt: instant,
  rows: z.int().nonnegative(),
  accepted: z.int().nonnegative(),
  rejected: z.int().nonnegative(),
  warnings: z.int().nonnegative(),
  requestCount: z.int().nonnegative(),
  /** Whole-file findings, and the first few of the rows; all of them stand in `issues.ndjson` of the results bucket. */
  issues: z.array(issueItem),
  /** Requests by state, ports by status name, as of the last roll-up. */
  requests: tally,
  ports: tally,
  attention: z.int().nonnegative(),
  withdrawnRows: z.int().nonnegative(),
  freedPorts: z.int().nonnegative().optional(),
  /** Rows of each correction file as last written, by the operation that takes it. */
  corrections: tally.optional(),
  /** SIMs that have other services than were asked for; `revision` grows with every comparison. */
  drift: z.object({ sims: z.int().nonnegative(), revision: z.int().nonnegative() }).optional(),
  /** Sum of the requests' revisions at the last roll-up: it only grows, so an older roll-up never overwrites a newer one. */
  ledgerRevision: z.int().nonnegative().optional(),
  /** What results.csv told last: when it differs from what the item tells, the file is written again. */
  reported: z.string().optional(),
});
export type ImportItem = z.infer<typeof importItem>;

/** A row that the ledger took out of its request, and why. */
export const withdrawnRow = z.object({
  line: z.int().positive(),
  subject: z.string(),
  code: z.enum(issueCodes),
  message: z.string(),
});
export type WithdrawnRow = z.infer<typeof withdrawnRow>;

/** Why the last attempt did not make what it should. */
export const requestError = z.object({
  kind: z.string(),
  message: z.string(),
  status: z.int().optional(),
  /** The CSV lines whose numbers the service named; empty or absent where it named none. */
  lines: z.array(z.int().positive()).optional(),
});
export type RequestError = z.infer<typeof requestError>;

/** The port in whose place a request is sent, once the service has cancelled it. */
export const replacedPort = z.object({
  importId: z.string(),
  request: z.int().positive(),
  portId: z.string(),
  /** Calendar time at which the service was last asked to cancel it, or was seen to be about it. */
  cancelAskedAt: instant.optional(),
  /** Wall time at which it was known to be Cancelled, as read back: from then on the request may be sent. */
  cancelledAt: instant.optional(),
});
export type ReplacedPort = z.infer<typeof replacedPort>;

/** What a person decided about a request that was left to people. */
export const decided = z.object({
  at: instant,
  by: z.string(),
  what: z.enum(['adopt', 'send-again', 'give-up']),
  because: z.string().optional(),
});
export type Decided = z.infer<typeof decided>;

export const requestItem = z.object({
  importId: z.string(),
  request: z.int().positive(),
  operation: z.enum(operationNames),
  state: z.enum(requestStates),
  label: z.string(),
  token: z.string(),
  rowCount: z.int().positive(),
  plan: planRange,
  attempt: z.int().nonnegative(),
  /** Counts the changes of this item: each is made on the very state that its author saw. Absent means 0. */
  revision: z.int().nonnegative().optional(),
  /** Wall-clock time until which the attempt in flight owns the request. */
  leaseUntil: instant.optional(),
  /** Wall-clock time from which somebody must look after this request; absent once nobody must. */
  dueAt: instant.optional(),
  /** The CSV lines that were sent, packed by `packLines`; known from the first attempt on. */
  lines: z.string().optional(),
  /** The request is held back until this port is cancelled. */
  replaces: replacedPort.optional(),
  portId: z.string().optional(),
  ticket: z.string().optional(),
  /** The port that an update or a cancel changed; it belongs to the request that made it. */
  changedPortId: z.string().optional(),
  /** Any further port that a late answer or a reconcile found for the same request: a duplicate to look at. */
  duplicatePortIds: z.array(z.string()).optional(),
  /** The port's `statusName` as last seen. */
  portStatus: z.string().optional(),
  /** Rows of the port that wait for a person. */
  attention: z.int().nonnegative().optional(),
  /** Set once nothing more will happen to any row: its claims are then free to be taken over. */
  endedAt: instant.optional(),
  error: requestError.optional(),
  decided: decided.optional(),
  withdrawn: z.array(withdrawnRow).optional(),
  /** Lines that were taken out of the port because they held others, packed by `packLines`. */
  evicted: z.string().optional(),
  /** What was decided anew just before sending: a date rolled forward, and why. */
  note: z.string().optional(),
  changedAt: instant,
});
export type RequestItem = z.infer<typeof requestItem>;

export const portRowState = z.object({
  line: z.int().positive(),
  msisdn: z.string(),
  status: z.string(),
  message: z.string().optional(),
});
/** One line of a port as last read; `line` is the CSV's, `msisdn` is E.164 digits. */
export type PortRowState = z.infer<typeof portRowState>;

export const portItem = z.object({
  portId: z.string(),
  account: z.int(),
  importId: z.string(),
  request: z.int().positive(),
  name: z.string(),
  /** `statusName` exactly as the service wrote it. */
  status: z.string(),
  connectionDate: z.string(),
  rowCount: z.int().nonnegative(),
  /** Lines that are ready and lines that hold them (spec, "only when all lines are PacValid or Cancelled"). */
  goodLines: z.int().nonnegative(),
  badLines: z.int().nonnegative(),
  /** Rows that wait for a person. */
  attention: z.int().nonnegative(),
  /** The last moment of calendar time at which a cancel is sure to be in time; absent once it is too late to ask. */
  cancelBy: instant.optional(),
  /** What is wrong with the port as a whole, in words. */
  concern: z.string().optional(),
  /** Looks in a row that the service answered with 404 (decision 33). */
  missingLooks: z.int().nonnegative(),
  /** Calendar time at which the newest look began: an answer to an older question never overwrites it. */
  lookedAt: instant,
  /** Calendar time of the next look; absent once the port has ended. */
  dueAt: instant.optional(),
  changedAt: instant,
});
export type PortItem = z.infer<typeof portItem>;

export const portEvent = z.object({
  portId: z.string(),
  at: instant,
  status: z.string(),
  was: z.string().optional(),
  /** Whose port it is: whoever announces the event has nothing but this item. */
  importId: z.string().optional(),
  request: z.int().positive().optional(),
});
export type PortEvent = z.infer<typeof portEvent>;

/** What a look at the port last told of one row. Written only when the row needs a person, or has ended. */
export const numberTold = z.object({
  portId: z.string(),
  status: z.string(),
  message: z.string().optional(),
  /** Calendar time at which that look began: an older one never overwrites it. */
  lookedAt: instant,
  /** The row has ended: the number is free for another import. */
  ended: z.boolean(),
});
export type NumberTold = z.infer<typeof numberTold>;

/** A number's claim: which row of which import it belongs to. Its live state is read through that request and its port. */
export const numberItem = z.object({
  number: z.string(),
  importId: z.string(),
  request: z.int().positive(),
  line: z.int().positive(),
  claimedAt: instant,
  told: numberTold.optional(),
});
export type NumberItem = z.infer<typeof numberItem>;
