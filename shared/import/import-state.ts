// What an import allows now: whether it may be sent, stopped or put away, how often it may be planned, and when report
// is notified again. There is no schema here, because the console loads this file.

import { longestScheduledDays } from '#shared/row/booking-window.ts';
import type { PartKind } from '#shared/text/identity.ts';
import { counted, describeAccount, isoTime } from '#shared/text/wording.ts';
import type { ImportItem, ImportState, PutAway, RequestedBy, StopKind } from './import.ts';
import type { FileSettings } from './saved-settings.ts';

// Whether an import is of the account that the environment works for.

/**
 * Why nothing of the import is sent, read or changed at the service; undefined for an import of this account. Sync
 * reads the queues of its account only, and every other step asks here.
 */
export const findAccountProblem = (item: Pick<ImportItem, 'account'>, account: string): string | undefined =>
  item.account === account
    ? undefined
    : `This import is of ${describeAccount(item.account)}, and simporter works for ${describeAccount(account)}`;

/** What people read of an import of another account whose work is not over; otherwise undefined. */
export function describeHold(item: ImportItem, account: string): string | undefined {
  const isOver = item.state === 'rejected' || item.state === 'finished' || isArchived(item) || isOnlyValidated(item);
  const problem = isOver ? undefined : findAccountProblem(item, account);
  return problem && `${problem}. It is held until simporter works for that account again`;
}

// Whether an import may be sent, is being sent, or was only validated.

/** The import needs no approval, or a person has approved it. */
export const mayBeSent = ({ planOnly, approvedAt }: ImportItem): boolean => !planOnly || approvedAt !== undefined;

/** Its requests are being sent, wait for their day, or are at the service: its ports can be moved and cancelled. */
const activeStates: readonly ImportState[] = ['submitting', 'scheduled', 'in-progress'];
/** Its requests are in the ledger. */
export const releasedStates: readonly ImportState[] = [...activeStates, 'stopped', 'finished'];

export const isActive = ({ state }: { readonly state: ImportState }): boolean => activeStates.includes(state);
export const isReleased = ({ state }: ImportItem): boolean => releasedStates.includes(state);

/** A validation that nobody approved: lists leave it out. */
export const isOnlyValidated = ({ validation, approvedAt }: ImportItem): boolean =>
  validation === true && approvedAt === undefined;

// Whether a person has stopped an import: what was not sent then stays so until the import is resumed, or for good.

export type ActiveStop = Exclude<StopKind, 'none'>;

export type Stoppable = Pick<ImportItem, 'stop'>;

/** undefined: all of its requests are sent. */
export function activeStop({
  stop,
}: Stoppable): (RequestedBy & { readonly at: string; readonly kind: ActiveStop }) | undefined {
  return stop === undefined || stop.kind === 'none' ? undefined : { ...stop, kind: stop.kind };
}

/**
 * When a command is given, by the clock of its sender: later than the command that the sender saw, which the clock of
 * another computer dated. Commands that wait in the queue keep their order by these times.
 */
export const timeOfCommand = (now: number, seen: { readonly at: string } | undefined): string =>
  isoTime(seen === undefined ? now : Math.max(now, Date.parse(seen.at) + 1));

export const stopOf = (item: Stoppable): ActiveStop | undefined => activeStop(item)?.kind;

/**
 * Why a person cannot stop or resume the import with its parts; undefined where they can. A stop is one command for all
 * of them, so it is possible while one of them takes it.
 * @param account of the environment
 */
export function findStopProblem(
  first: ImportItem,
  parts: readonly ImportItem[],
  kind: StopKind,
  account: string,
): string | undefined {
  const held = kind === 'none' ? findAccountProblem(first, account) : undefined;
  if (held !== undefined) return held;
  const problem = problemOfOne(first, kind);
  const isEnded = first.stop?.kind === 'for-good' && kind !== 'for-good';
  if (problem === undefined || isEnded) return problem;
  return parts.some((part) => takesStop(part, kind) && problemOfOne(part, kind) === undefined) ? undefined : problem;
}

/**
 * A stop of the first import is one of this part, too. A cancellation is sent all the same, and what was ended for good
 * stays so.
 */
export const takesStop = ({ partOf, stop, state }: ImportItem, kind: StopKind): boolean =>
  partOf !== undefined &&
  partOf.kind !== 'cancel' &&
  state !== 'finished' &&
  state !== 'rejected' &&
  (stop?.kind !== 'for-good' || kind === 'for-good');

function problemOfOne(item: ImportItem, kind: StopKind): string | undefined {
  const { state, planOnly, approvedAt, stop } = item;
  if (state === 'rejected') return 'Nothing of this import is sent: it was rejected';
  if (state === 'finished') return 'Every request of this import has ended';
  if (stop?.kind === 'for-good') return 'What this import had not sent was ended for good: import the rows again';
  const isDraft = state === 'planned' && planOnly && approvedAt === undefined;
  // It may have been stopped while it was read, and would stay so after its approval.
  if (isDraft && (kind !== 'none' || stopOf(item) === undefined))
    return 'Nothing of this import is sent before its approval';
  if (kind !== 'none') return stop?.kind === kind ? 'This import is stopped already' : undefined;
  return stopOf(item) === undefined && state !== 'stopped' ? 'This import is not stopped' : undefined;
}

// The parts that wait, in words.

/** The kinds of parts of an import, as in `1 correction`. */
export const partWords: Readonly<Record<PartKind, string>> = {
  correction: 'correction',
  move: 'move',
  pacs: 'PAC change',
  cancel: 'cancellation',
};

/** `1 correction waits for approval`; empty where no part waits. */
export function describeWaitingParts(waiting: { readonly [Kind in PartKind]?: number | undefined }): string {
  const kinds = Object.keys(waiting) as PartKind[];
  const parts = kinds.map((kind) => counted(waiting[kind] ?? 0, partWords[kind]));
  if (parts.length === 0) return '';
  const isOne = parts.length === 1 && waiting[kinds[0] as PartKind] === 1;
  return `${parts.join(', ')} ${isOne ? 'waits' : 'wait'} for approval`;
}

// The marks that people set on an import: lists leave it out, or some of its rows are dismissed.

/** `import`: the import itself, with all of its rows. `declined`, `rejected`: these rows. */
export const archivables = ['import', 'declined', 'rejected'] as const;
export type Archivable = (typeof archivables)[number];

const attributes = {
  import: 'archived',
  declined: 'dismissedDeclined',
  rejected: 'dismissedRejected',
} as const satisfies Record<Archivable, keyof ImportItem>;

export const markOf = (item: ImportItem, what: Archivable): PutAway | undefined => item[attributes[what]];

const isNow = (mark: PutAway | undefined): mark is PutAway => mark !== undefined && mark.isUndone !== true;

export const isArchived = ({ archived }: ImportItem): boolean => isNow(archived);

/** The change that lists an archived import again; undefined: it is listed. */
export const listedAgain = ({ archived }: ImportItem): Pick<ImportItem, 'archived'> | undefined =>
  isNow(archived) ? { archived: { ...archived, isUndone: true } } : undefined;

/** Rows of the kind so far, with those that were corrected since: the number never falls. */
export function rowsSoFar({ outcomes, merged, rejected }: ImportItem, kind: 'declined' | 'rejected'): number {
  return kind === 'rejected' ? rejected : (outcomes?.declined ?? 0) + (merged?.hidden.declined ?? 0);
}

/** Rows that were declined after the dismissal require an action. */
export function isDismissed(item: ImportItem, kind: 'declined' | 'rejected'): boolean {
  const mark = markOf(item, kind);
  return isArchived(item) || (isNow(mark) && rowsSoFar(item, kind) <= (mark.rows ?? 0));
}

/** The item with the mark; undefined where a later command was handled before this one. */
export function putAway(item: ImportItem, what: Archivable, mark: PutAway): Partial<ImportItem> | undefined {
  const known = markOf(item, what);
  return known !== undefined && known.at > mark.at ? undefined : { [attributes[what]]: mark };
}

/** Nothing of the import is sent any more, or before its approval. */
export const isArchivable = ({
  state,
  planOnly,
  approvedAt,
}: {
  readonly state: ImportState;
  readonly planOnly: boolean;
  readonly approvedAt?: string | null | undefined;
}): boolean => state === 'rejected' || state === 'finished' || (state === 'planned' && planOnly && !approvedAt);

/** Why the import cannot be archived, or listed again; undefined where it can. */
export function findArchiveProblem(item: ImportItem, wanted: 'archived' | 'restored'): string | undefined {
  if (wanted === 'restored') return isArchived(item) ? undefined : 'This import is not archived';
  if (isArchived(item)) return 'This import is archived already';
  return isArchivable(item) ? undefined : 'Only an import that has ended, or waits for its approval, can be archived';
}

/** Whether saved settings fit a workbook with these sheets: that of the next month may have others. */
export const fitSheets = ({ sheet, otherSheets = [] }: FileSettings, sheets: readonly string[]): boolean =>
  [...(sheet ? [sheet] : []), ...otherSheets].every((name) => sheets.includes(name));

// Until when ingest works on an import. It renews this time while it works: the message of a function that crashed is
// hidden for up to 90 minutes, and sync announces the upload again long before.

/** How long an attempt that is not renewed may still be under way. A repeated attempt does nothing twice. */
const leaseMs = 5 * 60_000;
export const renewalMs = 60_000;
/** Fewer renewals can be missed while the attempt goes on. */
const missedRenewals = 2;

/** @param end wall time up to which it is certain that ingest works on the import, in epoch milliseconds */
export const attemptUntil = (end: number): string => isoTime(end + leaseMs);

/** The attempt ended, and its message is delivered again after a delay. */
export const nextAttemptUntil = (now: number): string => attemptUntil(now + longestDelayMs);

/** Whether an import may be planned, or its plan released. */
const isUnfinished = (item: ImportItem): boolean =>
  item.state === 'planning' || (item.state === 'planned' && mayBeSent(item));

/** An import that reschedules or adopts ports is announced by a command, not by its upload. */
const untilOf = (item: ImportItem): number | undefined =>
  isUnfinished(item) && item.reschedules === undefined && item.adoptedPort === undefined
    ? Date.parse(item.attemptUntil ?? item.receivedAt)
    : undefined;

/** Whether no message works on the import any more. */
export const isStuck = (item: ImportItem, now: number): boolean => now > (untilOf(item) ?? now);

/**
 * How often, and for how long, sync announces an upload again. A file that ends every attempt is not announced for
 * ever: its message is dead-lettered, which raises an alarm.
 */
export const rescueLimits = {
  most: 8,
  /** As long as a queue keeps a message. */
  oldestMs: 14 * 86_400_000,
};

const mayBeRescued = ({ rescues, receivedAt }: ImportItem, now: number): boolean =>
  (rescues?.times ?? 0) < rescueLimits.most && now - Date.parse(receivedAt) <= rescueLimits.oldestMs;

/** Whether sync has to announce the upload. */
export const isRescuable = (item: ImportItem, now: number): boolean => isStuck(item, now) && mayBeRescued(item, now);

/**
 * When the next run of sync announces the upload of an interrupted attempt again; undefined where none is, null where
 * no run will, so that a person must redrive the message.
 */
export function redeliveryAfter(item: ImportItem, now: number): string | null | undefined {
  const until = untilOf(item);
  if (until === undefined || until - now >= leaseMs - missedRenewals * renewalMs) return undefined;
  return isStuck(item, now) && !mayBeRescued(item, now) ? null : isoTime(until);
}

// When report is notified about an import again although no change was reported.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** While an import changes, every sync run may notify. */
const leastWait = minute;
/** The results of an import in progress are never older than this. */
const mostWait = hour;
/** The services of completed ports are compared for a week: a day later nothing can change any more. */
const endedFor = 8 * day;

/** For an import that is released now. */
export const firstNotification = (now: number): number => now + leastWait;

/** For an import whose item cannot be read: report is notified at this interval. */
export const unreadableNotification = (now: number): number => now + mostWait;

/**
 * Wall time of the next notification, in epoch milliseconds: the wait equals the time without changes, so
 * notifications become rarer. undefined: the import ended so long ago that nothing can change.
 */
export function nextNotification({ state, changedAt }: ImportItem, now: number) {
  const quiet = Math.max(now - Date.parse(changedAt), leastWait);
  if (state !== 'finished' && state !== 'rejected') return now + Math.min(quiet, mostWait);
  return quiet > endedFor ? undefined : now + quiet;
}

/** The clocks of two environments differ by less. A message that is about to arrive does not count as waiting. */
const clockSkewMs = 2_000;

/** Whether a delayed message will make report read the import again: what changes until `now` needs no other. */
export const isRefreshPlanned = (refreshAt: string | undefined, now: number): boolean =>
  refreshAt !== undefined && refreshAt > isoTime(now + clockSkewMs);

/** SQS delays a message by no more, so no wait that a message carries is longer. In milliseconds. */
export const longestDelayMs = 15 * 60_000;

/** A plan waits for its approval, its requests until their date can be booked, and its ports for that date. */
const longestLifeDays = 45 + longestScheduledDays + 90;

/**
 * When the items of an import that begins now expire, or of what a person does with it. The time follows the day on
 * which the import has ended at the latest, so that nothing in progress is deleted.
 * @param now in milliseconds since 1970
 * @param recordDays for how long items are kept
 */
export const expiryOf = (now: number, recordDays: number): number =>
  Math.floor(now / 1_000) + (longestLifeDays + recordDays) * 86_400;
