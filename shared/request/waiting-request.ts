// A request that waits: for its message, its import, its day or a proof, and the queue in which it is due.

import { type CalendarDate, instantOf } from '#shared/row/calendar-date.ts';
import { isoTime } from '#shared/text/wording.ts';
import { endUnsentParts } from './lines.ts';
import {
  type ExcludedRow,
  heldQueue,
  plannedQueueOf,
  type RequestItem,
  type Resolved,
  requestKey,
  requestQueueOf,
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
export function endStopped(item: RequestItem, lines: string, now: number): RequestItem {
  const { split } = item;
  if (split === undefined || split.accepted.length === 0)
    return ended({ ...item, state: 'skipped', lines, error: stoppedError }, now);
  return ended({ ...endUnsentParts(item, split), state: 'accepted', error: stoppedError }, now);
}

export interface Schedule {
  /** The first day on which the date of its port can be booked. */
  readonly sendOn: CalendarDate;
  /** The account's. */
  readonly zone: string;
  /** Of the rows that are sent then, packed by `packLines`. */
  readonly lines: string;
  readonly excludedRows: readonly ExcludedRow[];
}

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

/** Consecutive inconclusive searches before action is required: with the waits between them, several hours. */
const mostInconclusiveSearches = 8;

/** The port list neither showed its port nor proved that there is none; `because` is the reason. */
export function recordInconclusiveSearch(item: RequestItem, because: string, times: Times): RequestItem {
  const searches = (item.inconclusiveSearches ?? 0) + 1;
  if (searches < mostInconclusiveSearches) return { ...deferUnreadable(item, times), inconclusiveSearches: searches };
  const problem = `It is unknown whether the request created a port: ${because}, ${searches} times`;
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

/** A person resends or abandons it, but the port list is too long for one run: sync carries it out after a search. */
export const awaitProof = (item: RequestItem, resolution: Resolved, now: number): RequestItem => ({
  ...verifyBeforeResend(item, resolution, { now, quietMs: 0 }),
  unverified: undefined,
  awaitsProof: true,
});

/** Searches that must prove it before an answer is believed, a quiet period apart: the list may lag. */
const provingSearches = 2;
/** The same for a list without a single port, which may be a fault of the list. */
const emptyListSearches = 4;
/** Attempts after which an answer of a gateway is final: further attempts would get the same answer. */
const mostGatewayAnswers = 12;

/** No answer claims that nothing was created: one search proves it, and three searches of an empty list. */
const noAnswer = { answer: 'none', absences: 1 } as const;

/** @param listed how many ports the list shows */
export function afterAbsence(item: RequestItem, listed: number, times: Times): RequestItem {
  if (item.unverified !== undefined) return verifyAnswer(item, item.unverified, listed, times);
  const { attempt, error } = item;
  const isGatewayAnswer = error?.status !== undefined && error.status >= 400 && error.status < 500;
  if (attempt < mostGatewayAnswers || !isGatewayAnswer) return verifyAnswer(item, noAnswer, listed, times);
  const problem = `${attempt} attempts created no port. The last answer: ${error.message}`;
  return markActionRequired(item, `${problem}. Ask the operator of the service, then resolve the request`, times.now);
}

function verifyAnswer(
  item: RequestItem,
  unverified: NonNullable<RequestItem['unverified']>,
  listed: number,
  times: Times,
): RequestItem {
  const absences = unverified.absences + 1;
  const needed = listed === 0 ? emptyListSearches : provingSearches;
  if (absences < needed) {
    const next = deferTo(item, times.now + times.quietMs);
    return { ...next, inconclusiveSearches: undefined, unverified: { ...unverified, absences } };
  }
  if (unverified.answer === 'none') return requeueAsSafe(item, times.now);
  const { error = { kind: 'conflict', message: '' } } = item;
  if (unverified.answer === 'decline') return believeDecline(item, { error, named: unverified.named }, times.now);
  const problem = `${error.message}. It has no port with the name of this request`;
  return markActionRequired(item, `${problem}. Search for the name in the portal, then resolve it`, times.now);
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

/** With its keys; in the due queue while it has a due time, and listed while action is required. */
export const storedRequest = (item: RequestItem) => ({
  ...requestKey(item.importId, item.request),
  ...item,
  dueQueue: item.dueAt === undefined ? undefined : queueOf(item),
  ...(item.state === 'action-required' && { listed: requestsListed, listedAt: item.changedAt }),
});

/** A request that waits for a cancellation is in a separate queue: its message is not lost. */
const queueOf = (item: RequestItem): string => {
  if (waitsForCancellation(item)) return heldQueue;
  if (item.state === 'scheduled') return scheduledQueue;
  return item.state === 'planned' ? plannedQueueOf(item.token) : requestQueueOf(item.token);
};

/**
 * A planned request is due once its message is lost. One that waits until its import is resumed has none, and one of an
 * adopted port is due only while it has a due time.
 */
export const planned = (item: RequestItem): RequestItem => ({
  ...item,
  revision: item.revision ?? 0,
  ...(item.state === 'planned' &&
    !isStopped(item) && { dueAt: item.dueAt ?? isoTime(Date.parse(item.changedAt) + lostMessageMs) }),
});
