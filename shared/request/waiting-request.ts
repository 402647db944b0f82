// A request that waits: for its message, its import, its day or a proof, and the queue in which it is due.

import { type CalendarDate, instantOf } from '#shared/row/calendar-date.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import { shardOf } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import {
  type ExcludedRow,
  heldQueue,
  type PortSearch,
  plannedQueue,
  type RequestItem,
  type Resolved,
  requestKey,
  requestQueue,
  requestsListed,
  scheduledQueue,
} from './request.ts';
import {
  allPortsOf,
  applyAnswer,
  believeDecline,
  deferTo,
  discardPortId,
  ended,
  isStopped,
  lostMessageMs,
  markActionRequired,
  planAgain,
  requeueAsSafe,
  stoppedError,
  type Times,
  verifyBeforeResend,
  waitsForCancellation,
} from './request-state.ts';

// The steps of a request that waits without a message: its import is stopped, or its date cannot be booked yet.

/**
 * A person stopped the import: the request waits without a message. It is checked again, because the reading of
 * the stop may be older than a command that followed it; each later command finds the request as it is then.
 */
export const stopRequest = (item: RequestItem, now: number): RequestItem => ({
  ...planAgain(item, now),
  error: stoppedError,
  ...(isStopped(item) && { dueAt: undefined }),
});

/** The import goes on, or its requests are to be ended: a message for the request is being sent. */
export const continueStopped = (item: RequestItem, now: number): RequestItem => ({
  ...planAgain(item, now),
  error: undefined,
  ...(waitsForCancellation(item) && { dueAt: isoTime(now) }),
});

/** The import was stopped for good: the request is never sent. @param lines of its rows, packed by `packLines` */
export const endStopped = (item: RequestItem, lines: string, now: number): RequestItem =>
  ended({ ...item, state: 'skipped', lines, error: stoppedError }, now);

export interface Schedule {
  /** The first day on which the date of its port can be booked. */
  readonly sendOn: CalendarDate;
  /** The account's. */
  readonly zone: string;
  /** The lines of the rows that are sent then, packed by `packLines`. */
  readonly lines: string;
  readonly excludedRows: readonly ExcludedRow[];
}

/** The request of a number that has no port yet, and when it is sent. */
export interface ScheduledNumber extends RequestNumber {
  readonly sendOn: string;
}

/** undefined: the request does not wait for a day. */
export const scheduledOf = (holder: RequestItem | undefined): ScheduledNumber | undefined =>
  holder?.state === 'scheduled' && holder.sendOn !== undefined
    ? { importId: holder.importId, request: holder.request, sendOn: holder.sendOn }
    : undefined;

/** A quarter past midnight: the clock of the service may be behind. */
const sendingHour = 0.25;

/** On this day also for a service that counts its days in UTC. */
const sendingTime = (day: CalendarDate, zone: string): number =>
  Math.max(instantOf(day, sendingHour, zone), instantOf(day, sendingHour, 'UTC'));

/** Due in calendar time. */
export const scheduleRequest = (
  item: RequestItem,
  { sendOn, zone, lines, excludedRows }: Schedule,
  now: number,
): RequestItem => ({
  ...planAgain(item, now),
  state: 'scheduled',
  error: undefined,
  sendOn,
  lines,
  excludedRows: excludedRows.length === 0 ? undefined : [...excludedRows],
  dueAt: isoTime(sendingTime(sendOn, zone)),
});

// A request of unknown outcome: its port cannot be read, the search proves nothing, or proves that there is none, or
// the port appears later.

/** The longest wait of a request whose port cannot be read or found, in wall time. */
const unreadableWaitMs = 60 * 60_000;

/** Its port cannot be read: the longer nothing has changed, the later the next attempt. */
export function deferUnreadable(item: RequestItem, { now, quietMs }: Times): RequestItem {
  const unchangedMs = Math.min(now - Date.parse(item.changedAt), unreadableWaitMs);
  return deferTo(item, now + Math.max(unchangedMs, quietMs));
}

const searchOf = ({ search = { for: 'answer', absences: 0, failures: 0 } }: RequestItem): PortSearch => search;

/** Consecutive searches without a proof before action is required: with the waits between them, several hours. */
const mostFailures = 8;

/** The port list neither showed its port nor proved that there is none; `because` is the reason. */
export function recordFailedSearch(item: RequestItem, because: string, times: Times): RequestItem {
  const search = searchOf(item);
  const failures = search.failures + 1;
  if (failures < mostFailures) return { ...deferUnreadable(item, times), search: { ...search, failures } };
  const problem = `It is unknown whether the request created a port: ${because}, ${failures} times`;
  return markActionRequired(item, `${problem}. Search for its name in the portal, then resolve it`, times.now);
}

/** Consecutive 404 answers before action is required (spec gap 33). */
const missingAfter = 3;
/** Consecutive 404 answers before the id that the service answered is taken for a wrong one. */
const wrongIdAfter = 2;
/** The wait before each read after the second one, in wall time: a short outage requires no action. */
const missingWaitMs = 60 * 60_000;

/** The service answered 404 for the port that this request expects. `message` is its message. */
export function recordMissingPort(item: RequestItem, message: string, { now, quietMs }: Times): RequestItem {
  const missingReads = (item.missingReads ?? 0) + 1;
  if (item.state === 'created' && missingReads >= wrongIdAfter) {
    const problem = `The service answered with port ${item.portId}, which it does not have`;
    return discardPortId(item, problem, { now, quietMs });
  }
  if (missingReads < missingAfter) {
    return { ...deferTo(item, now + (missingReads === 1 ? quietMs : missingWaitMs)), missingReads };
  }
  return markActionRequired(
    item,
    `The service did not find the port in ${missingAfter} consecutive reads: ${message}`,
    now,
  );
}

/** The service does not have its port any more: a person may abandon or resend it. The id stays known. */
export const leaveMissingPort = (item: RequestItem): RequestItem => ({
  ...item,
  portId: undefined,
  portStatus: undefined,
  portRows: undefined,
  portDate: undefined,
  actionRequired: undefined,
  formerPortIds: allPortsOf(item).filter((id) => !item.duplicatePortIds?.includes(id)),
});

/** The list shows again a port that was left: it counts as one that the service created late. */
export const withoutLeftPort = (item: RequestItem, portId: string): RequestItem => ({
  ...item,
  formerPortIds: item.formerPortIds?.filter((id) => id !== portId),
});

/** A person resends or abandons it, but the port list is too long for one run: sync carries it out after a search. */
export const awaitProof = (item: RequestItem, resolution: Resolved, now: number): RequestItem => ({
  ...verifyBeforeResend(item, resolution, { now, quietMs: 0 }),
  search: { for: resolution.what === 'abandon' ? 'abandon' : 'resend', absences: 0, failures: 0 },
});

/** What the list shows decides whether the decision can be carried out: no search has ended since. */
export const awaitsProof = ({ search }: RequestItem): boolean =>
  search?.absences === 0 && (search.for === 'resend' || search.for === 'abandon');

/**
 * Searches that must prove it, a quiet period apart: the list may lag behind an answer that claims something, and a
 * list without a single port may be a fault of the list.
 */
const searchesNeeded = ({ for: what }: PortSearch, listed: number): number =>
  (what === 'answer' ? 1 : 2) + (listed === 0 ? 2 : 0);

/** Attempts after which an answer of a gateway is final: further attempts would get the same answer. */
const mostGatewayAnswers = 12;

/** @param listed how many ports the list shows */
export function afterAbsence(item: RequestItem, listed: number, times: Times): RequestItem {
  const { attempt, error } = item;
  const search = searchOf(item);
  const isGatewayAnswer = error?.status !== undefined && error.status >= 400 && error.status < 500;
  if (search.for === 'answer' && search.absences === 0 && attempt >= mostGatewayAnswers && isGatewayAnswer) {
    const problem = `${attempt} attempts created no port. The last answer: ${error.message}`;
    return markActionRequired(item, `${problem}. Ask the operator of the service, then resolve the request`, times.now);
  }
  const absences = search.absences + 1;
  if (absences < searchesNeeded(search, listed))
    return { ...deferTo(item, times.now + times.quietMs), search: { ...search, absences, failures: 0 } };
  return afterLastSearch(item, search, times.now);
}

function afterLastSearch(item: RequestItem, { for: what, named }: PortSearch, now: number): RequestItem {
  if (what === 'answer' || what === 'resend') return requeueAsSafe(item, now);
  const { error = { kind: 'conflict', message: '' } } = item;
  if (what === 'decline') return believeDecline(item, { error, named }, now);
  const problem = `${error.message}. It has no port with the name of this request`;
  return markActionRequired(item, `${problem}. Search for the name in the portal, then resolve it`, now);
}

/**
 * The port list shows a port with the token of the request that the request does not have. undefined: it has it, its
 * own port was not read yet, or its outcome is unknown, which the search or a person resolves.
 */
export function addLatePort(item: RequestItem, portId: string, times: Times): RequestItem | undefined {
  const { state, attempt, portStatus } = item;
  if (state === 'in-flight' || state === 'unknown' || state === 'action-required') return undefined;
  if (state === 'created' && portStatus === undefined) return undefined;
  return applyAnswer(item, attempt, { kind: 'created', portId }, times);
}

/** Its due queue is one of those that sync empties: it does not wait for a day or for a cancellation. */
const isUnfinished = (item: RequestItem): boolean =>
  item.dueAt !== undefined && item.state !== 'scheduled' && !waitsForCancellation(item);

/** Measures the wait from its beginning: each attempt and each new message is a change of the same wait. */
export const measureWait = (item: RequestItem): RequestItem => ({
  ...item,
  unfinishedSince: isUnfinished(item) ? (item.unfinishedSince ?? item.changedAt) : undefined,
});

/** With its keys; in the due queue while it has a due time, and listed while action is required. */
export const storedRequest = (item: RequestItem) => ({
  ...requestKey(item.importId, item.request),
  ...item,
  dueQueue: item.dueAt === undefined ? undefined : queueOf(item),
  ...(item.state === 'action-required' && { listed: requestsListed, listedAt: item.changedAt }),
});

/** A request that waits for a cancellation is in a separate queue: its message is not lost. */
const queueOf = (item: RequestItem): string => {
  const { account, state, token } = item;
  if (waitsForCancellation(item)) return heldQueue(account);
  if (state === 'scheduled') return scheduledQueue(account);
  const queue = state === 'planned' ? plannedQueue : requestQueue;
  return queue(account, shardOf(token));
};

/**
 * A planned request is due once its message is lost. One that waits until its import is resumed has none, and one of an
 * adopted port is due only while it has a due time.
 */
export const planned = (item: RequestItem): RequestItem =>
  measureWait({
    ...item,
    ...(item.state === 'planned' &&
      !isStopped(item) && { dueAt: item.dueAt ?? isoTime(Date.parse(item.changedAt) + lostMessageMs) }),
  });
