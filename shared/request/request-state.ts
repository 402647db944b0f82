// The states of one request, as pure steps from item to item. Create Port is not idempotent and has no idempotency
// key, so only these steps decide whether a call may be made.
import { isoTime, truncate } from '#shared/text/wording.ts';
import { divideLines, excludeRows, packLines, unpackLines } from './packed-lines.ts';
import type {
  Answer,
  Declined,
  ExcludedRow,
  ReplacedPort,
  RequestError,
  RequestItem,
  RequestState,
  Resolved,
} from './request.ts';

/** Wall time, and how long to wait before the service is asked for an unknown outcome, in milliseconds. */
export interface Times {
  readonly now: number;
  readonly quietMs: number;
}

/** A planned request whose message was not processed for this long (wall time) gets a new message. */
export const lostMessageMs = 15 * 60_000;

const unsentStates: readonly RequestState[] = ['planned', 'scheduled', 'in-flight', 'unknown'];
export const isUnsent = (state: RequestState): boolean => unsentStates.includes(state);

/**
 * Whether a message about this request may lead to a call. Only `planned` may: in every other state the call is being
 * made, its outcome is known, or reconcile must find it out first.
 */
export const maySend = (item: RequestItem): boolean => item.state === 'planned' && !waitsForCancellation(item);

/** It waits until the port that it replaces is cancelled: otherwise its numbers would be in two live ports. */
export const waitsForCancellation = ({ state, replaces }: RequestItem): boolean =>
  state === 'planned' && replaces !== undefined && replaces.cancelledAt === undefined;

/** Written before the cancellation is requested (a crash never leaves an unrecorded one), and while it takes effect. */
export const recordCancelRequest = (item: RequestItem, replaces: ReplacedPort, calendarNow: number): RequestItem => {
  const { cancelRequestedAt = isoTime(calendarNow) } = replaces;
  return {
    ...item,
    replaces: { ...replaces, cancelRequestedAt, cancelCheckedAt: isoTime(calendarNow) },
    missingReads: undefined,
  };
};

/** The port was read as cancelled: the request is planned like any other, and its message is being sent. */
export const recordCancelledPort = (item: RequestItem, replaces: ReplacedPort, now: number): RequestItem => ({
  ...item,
  replaces: { ...replaces, cancelledAt: isoTime(now) },
  error: undefined,
  dueAt: isoTime(now + lostMessageMs),
  changedAt: isoTime(now),
});

export interface Intent {
  readonly lines: string;
  readonly excludedRows: readonly ExcludedRow[];
  readonly note?: string | undefined;
  readonly holidays?: readonly string[] | undefined;
  /** Calendar time, epoch ms. */
  readonly submittedAt: number;
  /** Wall time, epoch ms. */
  readonly now: number;
  readonly leaseMs: number;
  readonly quietMs: number;
}

/** The write-ahead record, written before the call. It is reconciled after the lease and the quiet period. */
export function startAttempt(item: RequestItem, intent: Intent): RequestItem {
  return {
    ...item,
    state: 'in-flight',
    attempt: item.attempt + 1,
    submittedAt: isoTime(intent.submittedAt),
    lines: intent.lines,
    excludedRows: intent.excludedRows.length === 0 ? undefined : [...intent.excludedRows],
    note: intent.note ?? item.note,
    holidays: intent.holidays && [...intent.holidays],
    error: undefined,
    dueAt: isoTime(intent.now + intent.leaseMs + intent.quietMs),
    changedAt: isoTime(intent.now),
  };
}

/** Every row is excluded: nothing is left to submit. */
export const skipRequest = (item: RequestItem, rows: readonly ExcludedRow[], now: number): RequestItem =>
  ended({ ...item, state: 'skipped', excludedRows: [...rows] }, now);

/** Declined by simporter before it was sent: its date can no longer be booked, or its network is no longer offered. */
export const declineBeforeSending = (item: RequestItem, error: RequestError, now: number): RequestItem =>
  ended({ ...item, state: 'declined', error }, now);

/** Planned again: the service could not be called. `error` is the reason, and the message comes after `waitMs`. */
export const requeueRequest = (item: RequestItem, error: RequestError, now: number, waitMs = 0): RequestItem => ({
  ...planAgain(item, now),
  error,
  dueAt: isoTime(now + waitMs + lostMessageMs),
});

/** A new message was sent for a planned request. */
export const recordNewMessage = (item: RequestItem, now: number): RequestItem => ({
  ...item,
  dueAt: isoTime(now + lostMessageMs),
});

/**
 * The item after the answer to `attempt`; undefined where nothing changes. A port id is always stored, however late
 * it comes (fault 46); any other answer counts only for the last attempt.
 */
export function applyAnswer(item: RequestItem, attempt: number, answer: Answer, times: Times): RequestItem | undefined {
  const { now, quietMs } = times;
  if (answer.kind === 'created') return withPort(item, attempt, answer.portId, now);
  if (answer.kind === 'accepted' || answer.kind === 'changed') return accepted(item, answer, now);
  const current = item.attempt === attempt && (item.state === 'in-flight' || item.state === 'unknown');
  if (!current) return undefined;
  if (answer.kind === 'not-sent') return requeueRequest(item, answer.error, now);
  if (answer.kind === 'declined')
    return answer.isDoubtful ? suspendDecline(item, answer, times) : believeDecline(item, answer, now);
  return {
    ...withoutWaits(answer.isOfAllRows ? withDeclinedRows(item) : item, now),
    state: 'unknown',
    error: answer.error,
    dueAt: isoTime(now + quietMs),
  };
}

/** With the rows that the service declined by name, as if they had been sent with the others. */
export function withDeclinedRows(item: RequestItem): RequestItem {
  const declined = rowsDeclinedByService(item);
  const lines = [...unpackLines(item.lines ?? ''), ...declined.map(({ line }) => line)];
  const others = (item.excludedRows ?? []).filter((row) => !declined.includes(row));
  return {
    ...item,
    lines: packLines(lines.sort((one, other) => one - other)),
    excludedRows: others.length === 0 ? undefined : others,
  };
}

/** Only the first ticket or the first confirmed change counts, and none once the parts of a request count. */
function accepted(
  item: RequestItem,
  answer: Extract<Answer, { readonly kind: 'accepted' | 'changed' }>,
  now: number,
): RequestItem | undefined {
  if (item.ticket !== undefined || item.changedPortId !== undefined || item.parts !== undefined) return undefined;
  const made = answer.kind === 'accepted' ? { ticket: answer.ticket } : { changedPortId: answer.portId };
  const next: RequestItem = { ...item, ...made, state: 'accepted', error: undefined };
  return answer.kind === 'accepted' && answer.isReadBack ? waitForSims(next, now) : ended(next, now);
}

/** It is written together with the comparison of its SIMs, which is due from now on. */
const waitForSims = (item: RequestItem, now: number): RequestItem => ({
  ...withoutWaits(item, now),
  simRows: { 'in-progress': unpackLines(item.lines ?? '').length },
});

/** Rows that the service declined by name in an earlier attempt (spec gap 25). */
export const rowsDeclinedByService = (item: RequestItem): readonly ExcludedRow[] =>
  (item.excludedRows ?? []).filter(({ code }) => code === 'ROW_REFUSED');

/** The rows that are not in the port, also those that left it before it was moved. */
export const rowsLeftOut = (item: RequestItem): readonly ExcludedRow[] =>
  (item.excludedRows ?? []).filter(
    ({ code }) => code === 'ROW_REFUSED' || (item.replaces !== undefined && code === 'LINE_NOT_CHANGEABLE'),
  );

/**
 * The rows that the request does not send. One that the last attempt skipped may be sent by the next one, except where
 * an earlier attempt may have created a port: that one is repeated with the rows that it had.
 */
export const rowsNotSent = (item: RequestItem): readonly ExcludedRow[] =>
  mayBeRepeated(item) ? rowsLeftOut(item) : (item.excludedRows ?? []);

const mayBeRepeated = ({ state, hasUnknownAttempt }: RequestItem): boolean =>
  (state === 'planned' || state === 'scheduled' || state === 'in-flight') && hasUnknownAttempt !== true;

/** The outcome stays unknown until the port list shows whether the request has a port. */
export const suspendDecline = (item: RequestItem, { error, named }: Declined, times: Times): RequestItem => ({
  ...withoutWaits(item, times.now),
  state: 'unknown',
  error,
  search: { for: 'decline', absences: 0, failures: 0, ...(named && { named: [...named] }) },
  dueAt: isoTime(times.now + times.quietMs),
});

export function believeDecline(item: RequestItem, { error, named, others }: Declined, now: number): RequestItem {
  const rest = named ? excludeRows(item, named) : item;
  if (others === 'in-parts') return divide(rest, error, now);
  if (others === 'later') return { ...planAgain(item, now), error: { ...error, isUndecided: true } };
  return named ? planAgain(rest, now) : declined(item, error, now);
}

/** The request has ended: its rows are sent again in parts, except those that were named. */
function divide(item: RequestItem, error: RequestError, now: number): RequestItem {
  const named = new Set(rowsDeclinedByService(item).map(({ line }) => line));
  const parts = divideLines(unpackLines(item.lines ?? '').filter((line) => !named.has(line)));
  return ended({ ...item, state: 'declined', lines: '', error, parts }, now);
}

/**
 * A part that the service declined, and that waits for the answers to the others. Where anything else happens to it,
 * such as a stop, its decline is forgotten, and it is sent once more.
 */
export const isUndecided = ({ state, error }: RequestItem): boolean =>
  state === 'planned' && error?.isUndecided === true;

export const wrongPort = (portId: string, name: string): string =>
  `The service answered with port ${portId}, whose name is "${truncate(name, 100)}"`;

/** The service answered with the id of a port that is not of this request: its own port is searched by name. */
export const discardPortId = (item: RequestItem, message: string, { now, quietMs }: Times): RequestItem => ({
  ...withoutWaits(item, now),
  state: 'unknown',
  portId: undefined,
  error: { kind: 'wrong-port', message },
  search: { for: 'own-port', absences: 0, failures: 0 },
  dueAt: isoTime(now + quietMs),
});

export const planAgain = (item: RequestItem, now: number): RequestItem => ({
  ...withoutWaits(item, now),
  state: 'planned',
  dueAt: isoTime(now + lostMessageMs),
});

/** A decline ends the request, unless an earlier attempt created a port after all. */
function declined(item: RequestItem, error: RequestError, now: number): RequestItem {
  const [portId, ...others] = item.duplicatePortIds ?? [];
  if (portId === undefined) return ended({ ...item, state: 'declined', error }, now);
  return created({ ...item, duplicatePortIds: others.length === 0 ? undefined : others }, portId, now);
}

/** Its own port first, then its duplicates: the ports of which a person can keep one. */
export const openPortsOf = ({ portId, duplicatePortIds = [] }: RequestItem): string[] => [
  ...(portId === undefined ? [] : [portId]),
  ...duplicatePortIds,
];

/** Every port that the request is known to have created, its own first. */
export const allPortsOf = (item: RequestItem): string[] => [...openPortsOf(item), ...(item.formerPortIds ?? [])];

function withPort(item: RequestItem, attempt: number, portId: string, now: number): RequestItem | undefined {
  if (allPortsOf(item).includes(portId)) return undefined;
  const isOutdated = item.state === 'in-flight' && item.attempt !== attempt;
  if (item.portId !== undefined || isOutdated) return withDuplicate(item, portId, now);
  const wasOver = item.endedAt !== undefined || isStopped(item);
  return { ...created(item, portId, now), ...(wasOver && { isLate: true }) };
}

/** Due at once if it has a port, even an ended one: the next read reports the duplicate. */
const withDuplicate = (item: RequestItem, portId: string, now: number): RequestItem => ({
  ...item,
  duplicatePortIds: [...(item.duplicatePortIds ?? []), portId],
  dueAt: item.state === 'created' ? isoTime(now) : item.dueAt,
  changedAt: isoTime(now),
});

/** A late answer may have stored a port as a duplicate that is now the request's own. */
function withoutDuplicates(item: RequestItem, portIds: readonly string[]): RequestItem {
  const others = item.duplicatePortIds?.filter((other) => !portIds.includes(other)) ?? [];
  return { ...item, duplicatePortIds: others.length === 0 ? undefined : others };
}

/** Due at once, until its port is read and stored as well. */
const created = (item: RequestItem, portId: string, now: number): RequestItem => ({
  ...withoutWaits(item, now),
  state: 'created',
  portId,
  portRows: undefined,
  portDate: undefined,
  error: undefined,
  endedAt: undefined,
  dueAt: isoTime(now),
});

/** Ports with the token and exactly the numbers of the request: the first one is adopted, the others are duplicates. */
export function adoptPorts(item: RequestItem, portIds: readonly string[], now: number): RequestItem {
  const [portId = '', ...others] = portIds;
  const isTaken = item.portId !== undefined && !(item.state === 'action-required' && item.portId === portId);
  const taken = isTaken ? item : created(withoutDuplicates(item, [portId]), portId, now);
  return others
    .filter((other) => other !== taken.portId && !taken.duplicatePortIds?.includes(other))
    .reduce((changed, other) => withDuplicate(changed, other, now), taken);
}

/** Planned again: nothing was created, or repeating the call does no harm. */
export const requeueAsSafe = (item: RequestItem, now: number): RequestItem => ({
  ...planAgain(item, now),
  hasUnknownAttempt: true,
});

/** Only a person can find out the outcome: the request stays like this until one resolves it. */
export const markActionRequired = (item: RequestItem, message: string, now: number): RequestItem => ({
  ...withoutWaits(item, now),
  state: 'action-required',
  error: { ...item.error, kind: item.error?.kind ?? 'ambiguous', message },
});

/** A person resends it. The caller has verified that the service has nothing of it. */
export const resendRequest = (item: RequestItem, resolution: Resolved, now: number): RequestItem => ({
  ...requeueAsSafe(item, now),
  error: undefined,
  resolution,
});

/** The same, but the port list was empty once, which may be a fault of the list: sync searches it again before. */
export const verifyBeforeResend = (item: RequestItem, resolution: Resolved, times: Times): RequestItem => ({
  ...withoutWaits(item, times.now),
  state: 'unknown',
  search: { for: 'resend', absences: 1, failures: 0 },
  resolution,
  dueAt: isoTime(times.now + times.quietMs),
});

/** A person abandons it: other imports may use its numbers. */
export const abandonRequest = (item: RequestItem, resolution: Resolved, message: string, now: number): RequestItem =>
  ended({ ...item, state: 'declined', error: { kind: 'abandoned', message }, resolution }, now);

/** A person chooses which port is the request's own. The others stay duplicates until they have ended. */
export function keepPort(item: RequestItem, portId: string, resolution: Resolved, now: number): RequestItem {
  if (item.portId === portId) return { ...item, isLate: undefined, resolution, changedAt: isoTime(now) };
  const taken = created(withoutDuplicates({ ...item, duplicatePortIds: openPortsOf(item) }, [portId]), portId, now);
  return { ...taken, portStatus: undefined, actionRequired: undefined, isLate: undefined, resolution };
}

/** These duplicates have ended. Due at once, so that the next snapshot of the kept port is without them. */
export const closeDuplicates = (item: RequestItem, over: readonly string[], now: number): RequestItem => ({
  ...withoutDuplicates(item, over),
  formerPortIds: [...(item.formerPortIds ?? []), ...over],
  dueAt: isoTime(now),
  changedAt: isoTime(now),
});

/** Processed again later, without a change of state. */
export const deferTo = (item: RequestItem, dueAt: number): RequestItem => ({ ...item, dueAt: isoTime(dueAt) });

const withoutWaits = (item: RequestItem, now: number): RequestItem => ({
  ...item,
  changedAt: isoTime(now),
  dueAt: undefined,
  missingReads: undefined,
  search: undefined,
  sendOn: undefined,
});

export const ended = (item: RequestItem, now: number): RequestItem => ({
  ...withoutWaits(item, now),
  endedAt: isoTime(now),
});

/** The `error` of a request that was not sent because its import was stopped. */
export const stoppedError: RequestError = {
  kind: 'stopped',
  message: 'The import was stopped before the row was sent',
};

/** Not sent, because a person stopped the import. */
export const isStopped = ({ error }: RequestItem): boolean => error?.kind === stoppedError.kind;
