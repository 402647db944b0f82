// What one look at a port tells, compared with what was known: pure, so that submit, reconcile and sync judge alike.
import { fromWireDate } from './calendar-date.ts';
import { clip } from './clip.ts';
import { cutOff } from './cut-off.ts';
import { type Hostages, hostages } from './hostages.ts';
import type { NumberTold, PortEvent, PortItem, PortRowState, RequestItem } from './ledger.ts';
import { normaliseStatus, portStatus, rowStatus } from './lifecycle.ts';
import { parseMsisdn } from './msisdn.ts';
import { nextLook } from './poll-schedule.ts';
import { redactText } from './redact.ts';
import type { TimeZone } from './time-zone.ts';

/** The part of Port Detail that matters to us, as the service writes it. */
export interface PortReading {
  readonly id: string;
  readonly name: string;
  readonly statusName: string;
  readonly connectionDate: string;
  readonly rowCount: number;
  readonly rows: readonly {
    readonly msisdn: string;
    readonly statusName: string;
    readonly message?: string | null | undefined;
  }[];
}

export interface LookContext {
  readonly account: number;
  /** The account's. Whoever looks at many ports prepares it once. */
  readonly zone: TimeZone | string;
  readonly callingCode: string;
  /** The hour of the account's day from which on the service locks the ports of the next working day. @default 16 */
  readonly lockingHour?: number | undefined;
  /** Calendar time at which the look began, epoch ms. */
  readonly lookedAt: number;
}

/** The known state of the port that is looked at; `port` is absent at the first look. */
export interface KnownPort {
  readonly request: RequestItem;
  readonly port?: PortItem | undefined;
  /** Which number stands on which line, and what was last told of it. */
  readonly rows: readonly PortRowState[];
}

export interface NumberNews extends NumberTold {
  readonly number: string;
  readonly importId: string;
  readonly request: number;
}

/** What to write. `rows`, `event` and `request` are absent where they did not change. */
export interface Look {
  readonly seen: PortItem | undefined;
  readonly next: PortItem;
  readonly rows?: readonly PortRowState[];
  readonly event?: PortEvent;
  readonly request?: { readonly seen: RequestItem; readonly next: RequestItem };
  readonly news: readonly NumberNews[];
}

/** Looks in a row that must be answered with 404 before we say that a port is missing (decision 33). */
const missingAfter = 3;
const isGone = ({ missingLooks }: PortItem): boolean => missingLooks >= missingAfter;
const gone = `the service has not known this port for ${missingAfter} looks: ask its operator`;
/** Looks in a row that must come to nothing, and for how long, before a person is told: an hour's trouble is no person's. */
const unreadAfter = 3;
const unreadForMs = 3_600_000;
const unread = `this port could not be read for ${unreadAfter} looks or more: look at it in the portal, and ask the service's operator`;
/** The status we give to a number that was sent and that its port does not hold. */
export const notInPort = 'Not In Port';

/** E.164 digits; a number that we cannot read is kept as the service wrote it. */
export function msisdnKey(written: string, callingCode: string): string {
  const parsed = parseMsisdn(written, { callingCode });
  return parsed.ok ? parsed.value : written;
}

/** What the detail of a port tells; undefined when a newer look is known already (fault 48). */
export function lookAtDetail(known: KnownPort, reading: PortReading, context: LookContext): Look | undefined {
  const { port, request } = known;
  if (port !== undefined && Date.parse(port.lookedAt) > context.lookedAt) return undefined;
  const told = new Map(reading.rows.map((row) => [msisdnKey(row.msisdn, context.callingCode), row]));
  const longest = longestMessage(known.rows.length);
  const looked = known.rows.map((was): RowLook => ({ was, is: rowAfter(was, told.get(was.msisdn), longest) }));
  const rows = looked.map(({ is }) => is);
  const concern = concernOf(rows, [...told.keys()], reading.id, request);
  const moved = port?.status !== reading.statusName;
  const rowsMoved = port === undefined || looked.some(differs);
  const changed = moved || rowsMoved || concern !== port.concern || port.missingLooks > 0;
  const changedAt = changed ? iso(context.lookedAt) : port.changedAt;
  const next = portAfter(request, reading, { rows, concern, changedAt }, context);
  // The end of a port that a person decided against is not the end of the request, nor of its numbers.
  const isOwn = request.portId === reading.id;
  const requestNext = isOwn ? requestAfter(request, next, context) : request;
  return {
    seen: port,
    next,
    news: isOwn ? newsOf(known, looked, next, context) : [],
    ...(rowsMoved ? { rows } : {}),
    ...(moved ? { event: eventOf(next, port) } : {}),
    ...(requestNext === request ? {} : { request: { seen: request, next: requestNext } }),
  };
}

/** The list showed the port in the status that was known: only the time of the next look changes. */
export function lookUnchanged(port: PortItem, context: LookContext): PortItem | undefined {
  if (Date.parse(port.lookedAt) > context.lookedAt) return undefined;
  return {
    ...port,
    missingLooks: 0,
    failedLooks: undefined,
    lookedAt: iso(context.lookedAt),
    dueAt: nextDue(port, context),
  };
}

/** The service answered 404: the last state stays; after three such looks in a row a person is told. */
export function lookMissing(port: PortItem, context: LookContext): PortItem | undefined {
  if (Date.parse(port.lookedAt) > context.lookedAt) return undefined;
  const missingLooks = port.missingLooks + 1;
  const looked = { ...port, missingLooks, lookedAt: iso(context.lookedAt), dueAt: nextDue(port, context) };
  if (missingLooks !== missingAfter) return looked;
  return { ...looked, concern: joined([port.concern, gone]), changedAt: iso(context.lookedAt) };
}

/** Nobody knows what became of it since `lookedAt`, which stays. After some such looks in a row a person is told. */
export function lookFailed(port: PortItem, context: LookContext): PortItem | undefined {
  if (Date.parse(port.lookedAt) > context.lookedAt) return undefined;
  const failedLooks = (port.failedLooks ?? 0) + 1;
  const looked = { ...port, failedLooks, dueAt: nextDue(port, context) };
  const isNews = port.concern?.includes(unread) !== true;
  const unreadMs = context.lookedAt - Date.parse(port.lookedAt);
  if (failedLooks < unreadAfter || unreadMs < unreadForMs || !isNews) return looked;
  return { ...looked, concern: joined([port.concern, unread]), changedAt: iso(context.lookedAt) };
}

/** The same, of a port whose request is due itself: people are told of its further ports by what is known of this one. */
export function lookMissingDue({ request, port, rows }: Required<KnownPort>, context: LookContext): Look | undefined {
  const looked = lookMissing(port, context);
  if (looked === undefined) return undefined;
  const concern = joined([concernOf(rows, [], port.portId, request), isGone(looked) ? gone : undefined]);
  const changedAt = concern === port.concern ? port.changedAt : iso(context.lookedAt);
  const next = { ...looked, concern, changedAt };
  return { seen: port, next, news: [], request: { seen: request, next: requestAfter(request, next, context) } };
}

/** Whether people were told that it is not shown: then only its detail can tell them otherwise. */
export const isNotShown = (port: PortItem): boolean => isGone(port) || port.concern?.includes(unread) === true;

/** Whether rows of the port can have moved although its status did not: somebody may have amended or cancelled one. */
export const rowsMayHaveMoved = (port: PortItem): boolean =>
  portStatus(port.status).rowsMayMove && (port.attention > 0 || port.badLines > 0);

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

/** A row as it was known, and as the look found it. */
interface RowLook {
  readonly was: PortRowState;
  readonly is: PortRowState;
}

/** All rows of a port stand in one item of at most 400 KB, and a character takes up to three bytes. */
const longestMessages = 100_000;
const longestOfOne = 500;

const longestMessage = (rows: number): number => Math.min(longestOfOne, Math.floor(longestMessages / rows));

/** @param longest characters of a message that are kept */
function rowAfter(
  { line, msisdn }: PortRowState,
  told: PortReading['rows'][number] | undefined,
  longest: number,
): PortRowState {
  if (told === undefined) return { line, msisdn, status: notInPort };
  const message = told.message ? clip(redactText(told.message), longest) : undefined;
  return { line, msisdn, status: told.statusName, message };
}

const differs = ({ was, is }: RowLook): boolean => is.status !== was.status || is.message !== was.message;

const needsPerson = (row: PortRowState): boolean => row.status === notInPort || rowStatus(row.status).attention;

interface Judged {
  readonly rows: readonly PortRowState[];
  readonly concern: string | undefined;
  readonly changedAt: string;
}

function portAfter(request: RequestItem, reading: PortReading, judged: Judged, context: LookContext): PortItem {
  const gate: Hostages = hostages(judged.rows.map(({ msisdn, status }) => ({ msisdn, statusName: status })));
  const blocking = judged.rows.filter(({ status }) => rowStatus(status).blocksGate).length;
  const next: PortItem = {
    portId: reading.id,
    account: context.account,
    importId: request.importId,
    request: request.request,
    name: reading.name,
    status: reading.statusName,
    connectionDate: reading.connectionDate,
    // A count that nobody can have would never be read back from the table.
    rowCount: Math.max(0, reading.rowCount),
    goodLines: gate.held.length,
    badLines: portStatus(reading.statusName).beforeLocked ? blocking : 0,
    attention: attentionOf(reading.statusName, judged.rows),
    cancelBy: cancelByOf(reading, request, context),
    concern: judged.concern,
    missingLooks: 0,
    lookedAt: iso(context.lookedAt),
    changedAt: judged.changedAt,
  };
  return { ...next, dueAt: nextDue(next, context) };
}

/** Rows that need a person; all live rows where the port as a whole does and no row is to blame. */
function attentionOf(statusName: string, rows: readonly PortRowState[]): number {
  const status = portStatus(statusName);
  if (status.terminal) return 0;
  const waiting = rows.filter(needsPerson).length;
  // The port keeps its status while amended lines are checked again: then the service is to move, not a person.
  const isRechecked = rows.some((row) => rowStatus(row.status).rechecking);
  if (waiting > 0 || !status.attention || isRechecked) return waiting;
  return rows.filter((row) => !rowStatus(row.status).terminal).length;
}

/** What a person must know of the port as a whole: numbers that differ from those sent, other ports of the same request. */
function concernOf(
  rows: readonly PortRowState[],
  told: readonly string[],
  portId: string,
  request: RequestItem,
): string | undefined {
  const ours = new Set(rows.map(({ msisdn }) => msisdn));
  const missing = rows.filter(({ status }) => status === notInPort).map(({ msisdn }) => msisdn);
  const foreign = told.filter((msisdn) => !ours.has(msisdn));
  const duplicates = request.portId === portId ? (request.duplicatePortIds ?? []) : [];
  const { importId, request: number } = request;
  return joined([
    missing.length === 0
      ? undefined
      : `the port does not hold ${some(missing)} that ${missing.length === 1 ? 'was' : 'were'} sent`,
    foreign.length === 0 ? undefined : `the port holds ${some(foreign)} that nobody sent`,
    duplicates.length === 0
      ? undefined
      : `the same numbers were also sent in ${duplicates.join(', ')}: simporter decide ${importId}/${number} --keep PORT`,
  ]);
}

function joined(concerns: readonly (string | undefined)[]): string | undefined {
  const told = concerns.filter((concern) => concern !== undefined);
  return told.length === 0 ? undefined : told.join('; ');
}

const some = (msisdns: readonly string[]): string =>
  msisdns.length <= 3 ? msisdns.join(', ') : `${msisdns.slice(0, 3).join(', ')} and ${msisdns.length - 3} more`;

/** The item itself where nothing changed. Its due time ends here: from now on the port is followed, not the request. */
function requestAfter(request: RequestItem, port: PortItem, context: LookContext): RequestItem {
  const endedAt = portStatus(port.status).terminal ? (request.endedAt ?? iso(context.lookedAt)) : undefined;
  const same =
    request.portStatus === port.status &&
    (request.attention ?? 0) === waitingOf(port) &&
    request.endedAt === endedAt &&
    request.dueAt === undefined;
  if (same) return request;
  const attention = waitingOf(port);
  return { ...request, portStatus: port.status, attention, endedAt, dueAt: undefined, missingLooks: undefined };
}

/** Of a port that is a concern as a whole, at least one. */
const waitingOf = (port: PortItem): number => Math.max(port.attention, port.concern === undefined ? 0 : 1);

/** The request of a port that became a concern without being read. */
export const requestConcerned = (request: RequestItem, port: PortItem): RequestItem => ({
  ...request,
  attention: waitingOf(port),
});

function eventOf(next: PortItem, before: PortItem | undefined): PortEvent {
  const { portId, importId, request, lookedAt: at, status } = next;
  const event = { portId, importId, request, at, status };
  return before === undefined ? event : { ...event, was: before.status };
}

/** Numbers are told when their row begins or ceases to need a person, and when it has ended. */
function newsOf(
  { request, port }: KnownPort,
  rows: readonly RowLook[],
  next: PortItem,
  context: LookContext,
): NumberNews[] {
  const over = portStatus(next.status).terminal;
  const wasOver = port !== undefined && portStatus(port.status).terminal;
  return rows.flatMap((row) => {
    const { was, is } = row;
    const ended = over || rowStatus(is.status).terminal;
    const wasEnded = wasOver || (port !== undefined && rowStatus(was.status).terminal);
    const person = needsPerson(is) || (port !== undefined && needsPerson(was));
    if (ended === wasEnded && !(person && differs(row))) return [];
    const { importId, request: number } = request;
    return [
      {
        number: is.msisdn,
        importId,
        request: number,
        portId: next.portId,
        status: rowEndOf(is, next.status),
        message: is.message,
        lookedAt: iso(context.lookedAt),
        ended,
      },
    ];
  });
}

/** Rows keep saying `Submitted` after their port is complete: then the port's word counts. */
const rowEndOf = (row: PortRowState, status: string): string =>
  normaliseStatus(status) === 'complete' && !rowStatus(row.status).terminal ? status : row.status;

function cancelByOf(reading: PortReading, { holidays }: RequestItem, context: LookContext): string | undefined {
  if (!portStatus(reading.statusName).beforeLocked) return undefined;
  const { zone, lockingHour } = context;
  return iso(cutOff(calendarDay(reading.connectionDate, context), zone, lockingHour, holidays));
}

function nextDue(port: PortItem, context: LookContext): string | undefined {
  const due = nextLook({
    statusName: port.status,
    connectionDate: calendarDay(port.connectionDate, context),
    now: context.lookedAt,
    lastChange: Date.parse(port.changedAt),
    zone: context.zone,
    lockingHour: context.lockingHour,
  });
  return due === null ? undefined : iso(due);
}

/** A date that does not exist must not end the following of a port. */
function calendarDay(text: string, context: LookContext) {
  try {
    return fromWireDate(text);
  } catch {
    return fromWireDate(iso(context.lookedAt));
  }
}
