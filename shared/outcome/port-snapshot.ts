// Compares one reading of a port with the stored items, and decides what to write. It is pure, so submit and sync
// agree.
import { nextPoll } from '#shared/port/poll-schedule.ts';
import {
  dayOfPort,
  firstOf,
  joinConcerns,
  lateConcern,
  missingAfter,
  missingConcern,
  type PortEvent,
  type PortItem,
  type PortReading,
  type PortRowState,
  unreadableAfter,
  unreadableConcern,
  unreadableForMs,
  wasOrWere,
} from '#shared/port/port.ts';
import {
  blockedRows,
  isBeforeLocked,
  isPortStatus,
  notInPort,
  portStatus,
  rowNeedsAction,
  rowStatus,
  shownRowStatus,
} from '#shared/port/port-status.ts';
import type { LatestReading } from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { allPortsOf } from '#shared/request/request-state.ts';
import { cancellationDeadline, mayLockFrom } from '#shared/row/booking-window.ts';
import { fromWireDate } from '#shared/row/calendar-date.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import { redactText } from '#shared/row/redact.ts';
import { describeRequest, longestPortName } from '#shared/text/identity.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import { isoTime, longestRowMessage, truncate } from '#shared/text/wording.ts';
import { countPortRows } from './row-result.ts';

export interface SnapshotContext {
  readonly account: string;
  /** The account's. */
  readonly zone: string;
  readonly callingCode: string;
  /** The hour of the account's day from which the service locks the ports of the next working day. @default 16 */
  readonly lockingHour?: number | undefined;
  /** Calendar time at which the read began, epoch ms. */
  readonly readAt: number;
}

/** The stored state of a port; `port` is absent before its first snapshot. */
export interface KnownPort {
  readonly request: RequestItem;
  readonly port?: PortItem | undefined;
  /** The line and the last known state of each number. */
  readonly rows: readonly PortRowState[];
}

export interface NumberUpdate extends LatestReading {
  readonly number: string;
  readonly importId: string;
  readonly request: number;
}

/** What to write. `rows`, `event` and `request` are absent where they did not change. */
export interface PortSnapshot {
  readonly seen: PortItem | undefined;
  readonly next: PortItem;
  readonly rows?: readonly PortRowState[];
  readonly event?: PortEvent;
  readonly request?: { readonly seen: RequestItem; readonly next: RequestItem };
  readonly numberUpdates: readonly NumberUpdate[];
}

/** The snapshot of a port detail; undefined when a newer reading is stored already (fault 48). */
export function snapshotOf(known: KnownPort, reading: PortReading, context: SnapshotContext): PortSnapshot | undefined {
  const { port, request } = known;
  if (port !== undefined && isOutdated(port, context)) return undefined;
  const shown = new Map(reading.rows.map((row) => [msisdnKey(row.msisdn, context.callingCode), row]));
  const longest = longestRowMessage(known.rows.length);
  const changes = known.rows.map((was): RowChange => ({ was, is: rowAfter(was, shown.get(was.msisdn), longest) }));
  if (port !== undefined && isDoubtfulEnd({ request, port }, reading, changes, context))
    return readAgainSoon(port, context);
  return snapshotOfChanges(known, reading, { changes, numbers: [...shown.keys()] }, context);
}

/** @param numbers those that the port shows */
function snapshotOfChanges(
  known: KnownPort,
  reading: PortReading,
  { changes, numbers }: { readonly changes: readonly RowChange[]; readonly numbers: readonly string[] },
  context: SnapshotContext,
): PortSnapshot {
  const { port, request } = known;
  const rows = changes.map(({ is }) => is);
  const concern = portConcern({ portId: reading.id, status: reading.statusName }, rows, numbers, request);
  const statusMoved = port?.status !== reading.statusName;
  const rowsMoved = port === undefined || changes.some(differs);
  const changed = statusMoved || rowsMoved || concern !== port.concern || port.missingReads > 0;
  const changedAt = changed ? isoTime(context.readAt) : port.changedAt;
  const onlyRowsMoved = rowsMoved && !statusMoved;
  const next = portAfter(known, reading, { rows, concern, changedAt, onlyRowsMoved }, context);
  // A duplicate port that a person decided against ends neither the request nor its numbers.
  const isOwn = request.portId === reading.id;
  const requestNext = isOwn ? requestAfter(request, next, { rows, rowsMoved }, context) : request;
  return {
    seen: port,
    next,
    numberUpdates: isOwn ? numberUpdatesOf(known, changes, next) : [],
    ...(rowsMoved ? { rows } : {}),
    ...(statusMoved ? { event: eventOf(next, port) } : {}),
    ...(requestNext === request ? {} : { request: { seen: request, next: requestNext } }),
  };
}

/** A quarter of an hour between the two readings that must show an end with a missing number. */
const confirmationMs = unreadableForMs / 4;

/**
 * Whether the port has ended, and a number is missing that was in it so far: the number would be free, and its row
 * never read again. So only a second reading is believed.
 */
const isDoubtfulEnd = (
  { request, port }: { readonly request: RequestItem; readonly port: PortItem },
  { statusName }: PortReading,
  changes: readonly RowChange[],
  { readAt }: SnapshotContext,
): boolean =>
  portStatus(statusName).terminal &&
  request.portStatus !== undefined &&
  changes.some(({ was, is }) => is.status === notInPort && was.status !== notInPort) &&
  (port.missingReads === 0 || readAt - Date.parse(port.readAt) < confirmationMs);

/** undefined: the second reading is not due yet. */
function readAgainSoon(port: PortItem, { readAt }: SnapshotContext): PortSnapshot | undefined {
  if (port.missingReads > 0) return undefined;
  const dueAt = isoTime(readAt + confirmationMs);
  return { seen: port, next: { ...port, missingReads: 1, readAt: isoTime(readAt), dueAt }, numberUpdates: [] };
}

/** The list showed the port in its known status: only the time of the next read changes. */
export function snapshotUnchanged(port: PortItem, context: SnapshotContext): PortItem | undefined {
  if (isOutdated(port, context)) return undefined;
  const read = { missingReads: 0, failedReads: undefined, readAt: isoTime(context.readAt) };
  return { ...port, ...read, dueAt: nextDue(port, context) };
}

/** The service declined to show it: the last state stays, and after three such reads in a row a person is informed. */
export function snapshotMissing(port: PortItem, context: SnapshotContext): PortItem | undefined {
  if (isOutdated(port, context)) return undefined;
  const missingReads = port.missingReads + 1;
  const dueAt = nextDue(port, context, missingReads < missingAfter ? retryMs : undefined);
  const next = { ...port, missingReads, readAt: isoTime(context.readAt), dueAt };
  if (missingReads !== missingAfter) return next;
  return { ...next, concern: joinConcerns([port.concern, missingConcern(next)]), changedAt: isoTime(context.readAt) };
}

/** The read failed: `readAt` stays, and after several failed reads in a row a person is informed. */
export function snapshotFailed(port: PortItem, context: SnapshotContext): PortItem | undefined {
  if (isOutdated(port, context)) return undefined;
  const failedReads = (port.failedReads ?? 0) + 1;
  const unreadMs = context.readAt - Date.parse(port.readAt);
  const isCertain = failedReads >= unreadableAfter && unreadMs >= unreadableForMs;
  const next = { ...port, failedReads, dueAt: nextDue(port, context, isCertain ? undefined : retryMs) };
  if (!isCertain || port.concern?.includes(unreadableConcern)) return next;
  return { ...next, concern: joinConcerns([port.concern, unreadableConcern]), changedAt: isoTime(context.readAt) };
}

/** `snapshotMissing` for a port whose request is due too: the stored rows show what else is wrong with the request. */
export function snapshotMissingWithRequest(
  { request, port, rows }: Required<KnownPort>,
  context: SnapshotContext,
): PortSnapshot | undefined {
  const missing = snapshotMissing(port, context);
  if (missing === undefined) return undefined;
  const concern = joinConcerns([portConcern(port, rows, [], request), missingConcern(missing)]);
  const changedAt = concern === port.concern ? port.changedAt : isoTime(context.readAt);
  const next = { ...missing, concern, changedAt };
  return {
    seen: port,
    next,
    numberUpdates: [],
    request: { seen: request, next: requestAfter(request, next, { rows, rowsMoved: false }, context) },
  };
}

/** The list shows no rows. With the longest wait of such a port, a row that left is noticed within a day. */
const rowsKnownForMs = 12 * 3_600_000;

/** Whether rows can have changed under an unchanged port status. `now`: calendar time, epoch ms. */
export function rowsMayHaveMoved(port: PortItem, now: number): boolean {
  const { rowsMayMove, actionRequired } = portStatus(port.status);
  if (!rowsMayMove) return false;
  if (actionRequired || port.actionRequired > 0 || port.blockingRows > 0) return true;
  return port.rowsReadAt === undefined || now - Date.parse(port.rowsReadAt) >= rowsKnownForMs;
}

const isOutdated = (port: PortItem, { readAt }: SnapshotContext): boolean => Date.parse(port.readAt) > readAt;

/** A row as it was stored, and as it was read now. */
interface RowChange {
  readonly was: PortRowState;
  readonly is: PortRowState;
}

/** @param longest characters of a message that are kept */
function rowAfter(was: PortRowState, shown: PortReading['rows'][number] | undefined, longest: number): PortRowState {
  if (shown === undefined) return { ...was, status: notInPort, message: undefined };
  const message = shown.message ? truncate(redactText(shown.message), longest) : undefined;
  return { ...was, status: shown.statusName, message };
}

const differs = ({ was, is }: RowChange): boolean => is.status !== was.status || is.message !== was.message;

const needsAction = ({ status }: PortRowState): boolean => rowNeedsAction(status);

interface Assessed extends Pick<PortItem, 'concern' | 'changedAt'> {
  readonly rows: readonly PortRowState[];
  /** Since the reading before, rows have another status or message, and the port has the same status. */
  readonly onlyRowsMoved: boolean;
}

function portAfter(
  { port, request }: KnownPort,
  reading: PortReading,
  { rows, concern, changedAt, onlyRowsMoved }: Assessed,
  context: SnapshotContext,
): PortItem {
  const { blocked } = blockedRows(rows.map(({ msisdn, status }) => ({ msisdn, statusName: status })));
  const blocking = rows.filter(({ status }) => rowStatus(status).blocksGate).length;
  const next: PortItem = {
    ...port,
    portId: reading.id,
    account: context.account,
    importId: request.importId,
    request: request.request,
    name: truncate(redactText(reading.name), longestPortName),
    status: reading.statusName,
    connectionDate: reading.connectionDate,
    // The table schema has no negative counts: such an item could not be read back.
    rowCount: Math.max(0, reading.rowCount),
    readyRows: blocked.length,
    blockingRows: isBeforeLocked(reading.statusName) ? blocking : 0,
    actionRequired: rowsNeedingAction(reading.statusName, rows, onlyRowsMoved),
    cancelBy: cancelByOf(request, reading, context, port?.cancelBy),
    concern,
    duplicatePortIds: request.portId === reading.id ? request.duplicatePortIds : undefined,
    missingReads: 0,
    failedReads: undefined,
    readAt: isoTime(context.readAt),
    rowsReadAt: isoTime(context.readAt),
    changedAt,
    expiresAt: request.expiresAt,
  };
  return { ...next, dueAt: nextDue(next, context) };
}

/** Rows that need action; all live rows where the port as a whole needs action and no single row does. */
function rowsNeedingAction(statusName: string, rows: readonly PortRowState[], onlyRowsMoved: boolean): number {
  const status = portStatus(statusName);
  if (status.terminal) return 0;
  const needing = rows.filter(needsAction).length;
  // The port keeps its status while amended rows are checked again, and for a moment after the last of them was found
  // valid: the service acts next, not a person. A port that then does not move needs action from the next reading on.
  const serviceIsNext = onlyRowsMoved || rows.some((row) => rowStatus(row.status).beingRechecked);
  if (needing > 0 || !status.actionRequired || serviceIsNext) return needing;
  return rows.filter((row) => !rowStatus(row.status).terminal).length;
}

/**
 * The same item where nothing changed. With every change of a row the revision of the request grows, so that report
 * learns of it. The request is no longer due: from now on its port is polled.
 */
function requestAfter(
  request: RequestItem,
  port: PortItem,
  { rows, rowsMoved }: { readonly rows: readonly PortRowState[]; readonly rowsMoved: boolean },
  context: SnapshotContext,
): RequestItem {
  const endedAt = portStatus(port.status).terminal ? (request.endedAt ?? isoTime(context.readAt)) : undefined;
  const actionRequired = actionCountOf(port);
  const portRows = countPortRows({ ...request, portStatus: port.status }, rows);
  const portDate = dayOfPort(port);
  const same =
    !rowsMoved &&
    request.portStatus === port.status &&
    request.portDate === portDate &&
    isSameTally(request.portRows, portRows) &&
    (request.actionRequired ?? 0) === actionRequired &&
    request.endedAt === endedAt &&
    request.dueAt === undefined;
  if (same) return request;
  const next = { portStatus: port.status, portRows, portDate, actionRequired, endedAt };
  return { ...request, ...next, dueAt: undefined, missingReads: undefined };
}

const isSameTally = (one: Tally = {}, other: Tally): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(other).every(([name, count]) => one[name] === count);

/** At least one where something is wrong with the port as a whole. */
const actionCountOf = (port: PortItem): number => Math.max(port.actionRequired, port.concern === undefined ? 0 : 1);

/** The request of a port that got a concern without being read. */
export const withPortConcern = (request: RequestItem, port: PortItem): RequestItem => ({
  ...request,
  actionRequired: actionCountOf(port),
});

function eventOf(next: PortItem, before: PortItem | undefined): PortEvent {
  const { portId, importId, request, readAt: at, status, expiresAt } = next;
  return { portId, importId, request, at, status, expiresAt, ...(before && { was: before.status }) };
}

/**
 * A number is updated when its row starts or stops to need action, and when its row has ended or has ended otherwise.
 * If a person chose another port for the request, the numbers still show the port before, until the chosen one is read.
 */
function numberUpdatesOf(
  { request: item, port }: KnownPort,
  changes: readonly RowChange[],
  { portId, status, readAt }: PortItem,
): NumberUpdate[] {
  const { importId, request } = item;
  const isChosen = item.portStatus === undefined && allPortsOf(item).length > 1;
  const portEnded = portStatus(status).terminal;
  const portWasEnded = port !== undefined && portStatus(port.status).terminal;
  return changes.flatMap((change) => {
    const { was, is } = change;
    const ended = portEnded || rowStatus(is.status).terminal;
    const wasEnded = portWasEnded || (port !== undefined && rowStatus(was.status).terminal);
    const action = needsAction(is) || (port !== undefined && needsAction(was));
    const shown = shownRowStatus(is.status, status);
    const isMoved = differs(change) || shown !== shownRowStatus(was.status, port?.status ?? '');
    if (ended === wasEnded && !((action || ended) && isMoved) && !isChosen) return [];
    return [{ importId, request, portId, status: shown, readAt, ended, number: is.msisdn, message: is.message }];
  });
}

function cancelByOf(request: RequestItem, reading: PortReading, context: SnapshotContext, earlier?: string) {
  if (!isBeforeLocked(reading.statusName)) return undefined;
  const { zone, lockingHour, readAt } = context;
  const day = calendarDay(reading.connectionDate, context);
  // Read first long after it was made, as in a fast calendar or after an outage, a port still has its deadline.
  const madeAt = Math.min(readAt, Date.parse(request.submittedAt ?? isoTime(readAt)));
  return isoTime(mayLockFrom(cancellationDeadline(day, zone, lockingHour, request.holidays), madeAt, earlier));
}

/** The longest wait until it is certain that a port cannot be read: its usual wait may be days. */
const retryMs = unreadableForMs;

function nextDue(port: PortItem, context: SnapshotContext, longestMs = Number.POSITIVE_INFINITY): string | undefined {
  const due = nextPoll({
    statusName: port.status,
    connectionDate: calendarDay(port.connectionDate, context),
    now: context.readAt,
    lastChange: Date.parse(port.changedAt),
    zone: context.zone,
    lockingHour: context.lockingHour,
  });
  return due === null ? undefined : isoTime(Math.min(due, context.readAt + longestMs));
}

/** A port with a date that does not exist is polled as if it were booked for today. */
function calendarDay(text: string, context: SnapshotContext) {
  try {
    return fromWireDate(text);
  } catch {
    return fromWireDate(isoTime(context.readAt));
  }
}

/**
 * Numbers that differ from those that were sent, other ports of the request, and a port that was created late. A
 * cancelled port moves no number, whatever its rows show. `shown` are the port's numbers.
 */
function portConcern(
  { portId, status: portStatusName }: Pick<PortItem, 'portId' | 'status'>,
  rows: readonly PortRowState[],
  shown: readonly string[],
  request: RequestItem,
): string | undefined {
  const sent = new Set(rows.map(({ msisdn }) => msisdn));
  const [live, contained] = isPortStatus(portStatusName, 'Cancelled') ? [[], []] : [rows, shown];
  const missing = live.filter(({ status }) => status === notInPort).map(({ msisdn }) => msisdn);
  const foreign = contained.filter((msisdn) => !sent.has(msisdn));
  const duplicates = request.portId === portId ? (request.duplicatePortIds ?? []) : [];
  const resolve = `resolve ${describeRequest(request)} and keep`;
  const isLate = request.isLate && request.portId === portId && live.some(({ status }) => !rowStatus(status).terminal);
  return joinConcerns([
    missing.length === 0 ? undefined : `The port does not contain ${firstOf(missing)}, ${wasOrWere(missing)} sent`,
    foreign.length === 0 ? undefined : `The port contains ${firstOf(foreign)}, ${wasOrWere(foreign)} not sent`,
    duplicates.length === 0
      ? undefined
      : `The same numbers are also in port ${duplicates.join(', ')}: ${resolve} one of the ports`,
    isLate ? `${lateConcern}: cancel it in the portal, or ${resolve} it` : undefined,
  ]);
}
