// The items of the results table: what was intended and what came of it. Attribute names are for a person reading the
// table in the console. No item holds a PAC (decision 44).
import * as z from 'zod/mini';
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
const count = z.int().check(z.nonnegative());
/** Counted from 1: a line, a request. */
const ordinal = z.int().check(z.positive());
export const tally = z.record(z.string(), count);
/** How many of each: `{ created: 12, refused: 1 }`. */
export type Tally = z.infer<typeof tally>;

const issueItem = z.object({
  line: count,
  column: z.nullable(z.string()),
  code: z.enum(issueCodes),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'notice']),
});

/** A person, as they call themselves, and why they asked. */
const asked = z.object({ by: z.string(), because: z.optional(z.string()) });
export type Asked = z.infer<typeof asked>;

export const importItem = z.object({
  importId: z.string(),
  account: z.int(),
  operation: z.nullable(z.enum(operationNames)),
  state: z.enum(importStates),
  bucket: z.string(),
  key: z.string(),
  versionId: z.optional(z.string()),
  etag: z.string(),
  bytes: count,
  /** Stops at the plan until a person approves it. */
  planOnly: z.boolean(),
  approvedAt: z.optional(instant),
  /** Who approved it, or wanted the ports moved. */
  asked: z.optional(asked),
  /** The import of a later version of the same file, which was there already when this one was begun. */
  supersededBy: z.optional(z.string()),
  /** The last request that a release came to before it ran out of time: written while `planned`, sent from then on. */
  releasedTo: z.optional(count),
  /** It moves ports of this import to another date, `auto` or a day; its lines are some of that import's file. */
  reschedules: z.optional(z.object({ importId: z.string(), date: z.string() })),
  receivedAt: instant,
  changedAt: instant,
  rows: count,
  accepted: count,
  rejected: count,
  warnings: count,
  requestCount: count,
  /** Whole-file findings, and the first few of the rows; all of them stand in `issues.ndjson` of the results bucket. */
  issues: z.array(issueItem),
  /** Requests by state, ports by status name, as of the last roll-up. */
  requests: tally,
  ports: tally,
  attention: count,
  withdrawnRows: count,
  freedPorts: z.optional(count),
  /** Rows of each correction file as last written, by the operation that takes it. */
  corrections: z.optional(tally),
  /** SIMs that have other services than were asked for; `revision` grows with every comparison. */
  drift: z.optional(z.object({ sims: count, revision: count })),
  /** Sum of the requests' revisions at the last roll-up: it only grows, so an older roll-up never overwrites a newer one. */
  ledgerRevision: z.optional(count),
  /** What results.csv told last: when it differs from what the item tells, the file is written again. */
  reported: z.optional(z.string()),
  /** Wall time until which report does not look at a large import again. */
  restsUntil: z.optional(instant),
  /** When the message is due that was last left to look at it later. */
  putOffTo: z.optional(instant),
});
export type ImportItem = z.infer<typeof importItem>;

/** A row that the ledger took out of its request, and why. */
export const withdrawnRow = z.object({
  line: ordinal,
  subject: z.string(),
  code: z.enum(issueCodes),
  message: z.string(),
});
export type WithdrawnRow = z.infer<typeof withdrawnRow>;

/** Why the last attempt did not make what it should. */
export const requestError = z.object({
  kind: z.string(),
  message: z.string(),
  status: z.optional(z.int()),
  /** The CSV lines whose numbers the service named; empty or absent where it named none. */
  lines: z.optional(z.array(ordinal)),
});
export type RequestError = z.infer<typeof requestError>;

/** The port in whose place a request is sent, once the service has cancelled it. */
export const replacedPort = z.object({
  importId: z.string(),
  request: ordinal,
  portId: z.string(),
  /** Calendar time at which the service was last asked to cancel it, or was seen to be about it. */
  cancelAskedAt: z.optional(instant),
  /** Wall time at which it was known to be Cancelled, as read back: from then on the request may be sent. */
  cancelledAt: z.optional(instant),
});
export type ReplacedPort = z.infer<typeof replacedPort>;

/** What a person decided about a request that was left to people, or that made more than one port. */
export const decided = z.object({
  at: instant,
  by: z.string(),
  what: z.enum(['adopt', 'send-again', 'give-up', 'keep']),
  because: z.optional(z.string()),
});
export type Decided = z.infer<typeof decided>;

export const requestItem = z.object({
  importId: z.string(),
  request: ordinal,
  operation: z.enum(operationNames),
  state: z.enum(requestStates),
  label: z.string(),
  token: z.string(),
  rowCount: ordinal,
  plan: planRange,
  attempt: count,
  /** Counts the changes of this item: each is made on the very state that its author saw. Absent means 0. */
  revision: z.optional(count),
  /** Wall-clock time until which the attempt in flight owns the request. */
  leaseUntil: z.optional(instant),
  /** Wall-clock time from which somebody must look after this request; absent once nobody must. */
  dueAt: z.optional(instant),
  /** The CSV lines that were sent, packed by `packLines`; known from the first attempt on. */
  lines: z.optional(z.string()),
  /** The request is held back until this port is cancelled. */
  replaces: z.optional(replacedPort),
  portId: z.optional(z.string()),
  ticket: z.optional(z.string()),
  /** The port that an update or a cancel changed; it belongs to the request that made it. */
  changedPortId: z.optional(z.string()),
  /** Any further port that a late answer or a reconcile found for the same request: a duplicate to look at. */
  duplicatePortIds: z.optional(z.array(z.string())),
  /** Duplicates that a person decided against and that are over: they need nobody any more. */
  formerPortIds: z.optional(z.array(z.string())),
  /** Looks in a row that the service answered with 404, at the port that the request waits for (decision 33). */
  missingLooks: z.optional(count),
  /** Searches in a row that did not prove whether it made a port. */
  vainSearches: z.optional(count),
  /** The port's `statusName` as last seen. */
  portStatus: z.optional(z.string()),
  /** Rows of the port that wait for a person. */
  attention: z.optional(count),
  /** Set once nothing more will happen to any row: its claims are then free to be taken over. */
  endedAt: z.optional(instant),
  error: z.optional(requestError),
  decided: z.optional(decided),
  withdrawn: z.optional(z.array(withdrawnRow)),
  /** Lines that were taken out of the port because they held others, packed by `packLines`. */
  evicted: z.optional(z.string()),
  /** What was decided anew just before sending: a date rolled forward, and why. */
  note: z.optional(z.string()),
  /** Holidays of the network that come right before the port's date, as it told them just before sending. */
  holidays: z.optional(z.array(z.iso.date())),
  changedAt: instant,
});
export type RequestItem = z.infer<typeof requestItem>;

export const portRowState = z.object({
  line: ordinal,
  msisdn: z.string(),
  status: z.string(),
  message: z.optional(z.string()),
});
/** One line of a port as last read; `line` is the CSV's, `msisdn` is E.164 digits. */
export type PortRowState = z.infer<typeof portRowState>;

export const portItem = z.object({
  portId: z.string(),
  account: z.int(),
  importId: z.string(),
  request: ordinal,
  name: z.string(),
  /** `statusName` exactly as the service wrote it. */
  status: z.string(),
  connectionDate: z.string(),
  rowCount: count,
  /** Lines that are ready and lines that hold them (spec, "only when all lines are PacValid or Cancelled"). */
  goodLines: count,
  badLines: count,
  /** Rows that wait for a person. */
  attention: count,
  /** The last moment of calendar time at which a cancel is sure to be in time; absent once it is too late to ask. */
  cancelBy: z.optional(instant),
  /** What is wrong with the port as a whole, in words. */
  concern: z.optional(z.string()),
  /** Looks in a row that the service answered with 404 (decision 33). */
  missingLooks: count,
  /** Looks in a row that came to nothing, though the service answers otherwise. */
  failedLooks: z.optional(count),
  /** Calendar time at which the newest look began that told something: an answer to an older question never overwrites it. */
  lookedAt: instant,
  /** Calendar time of the next look; absent once the port has ended. */
  dueAt: z.optional(instant),
  changedAt: instant,
});
export type PortItem = z.infer<typeof portItem>;

export const portEvent = z.object({
  portId: z.string(),
  at: instant,
  status: z.string(),
  was: z.optional(z.string()),
  /** Whose port it is: whoever announces the event has nothing but this item. */
  importId: z.optional(z.string()),
  request: z.optional(ordinal),
});
export type PortEvent = z.infer<typeof portEvent>;

/** What a look at the port last told of one row. Written only when the row needs a person, or has ended. */
export const numberTold = z.object({
  portId: z.string(),
  status: z.string(),
  message: z.optional(z.string()),
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
  request: ordinal,
  line: ordinal,
  claimedAt: instant,
  told: z.optional(numberTold),
});
export type NumberItem = z.infer<typeof numberItem>;
