// The outcome of one CSV row, in the words of results.csv.

import type { ImportItem } from '#shared/import/import.ts';
import { mayBeSent, stopOf } from '#shared/import/import-state.ts';
import type { PortRowState } from '#shared/port/port.ts';
import {
  blockedBy,
  isBeforeLocked,
  isPortStatus,
  notInPort,
  portStatus,
  rowNeedsAction,
  rowStatus,
} from '#shared/port/port-status.ts';
import { openRows, unpackLines } from '#shared/request/packed-lines.ts';
import type { ExcludedRow, RequestItem, RequestState } from '#shared/request/request.ts';
import { isStopped, stoppedError } from '#shared/request/request-state.ts';
import type { IssueCode } from '#shared/row/issue.ts';
import { describeRequest, type OperationName } from '#shared/text/identity.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import type { Outcome } from './outcome.ts';
import { type ComparisonItem, describeMismatch, type MismatchedSim } from './service-comparison.ts';

export interface RowResult {
  readonly outcome: Outcome;
  /** The port that was created or changed, or the ticket of another submission; empty before there is one. */
  readonly portId: string;
  /** The row's own status where it differs from its port's, otherwise the port's; as the service writes it. */
  readonly status: string;
  readonly message: string;
  readonly whatToDo: string;
  /** The date of the port, YYYY-MM-DD; empty before the service has it. */
  readonly bookedDate: string;
  /** When the service answered the call, and when the port was read to be complete (ISO 8601); empty before. */
  readonly submittedAt: string;
  readonly completedAt: string;
  /** The row was removed from its port because it blocked other rows. In files: see the index of results.csv. */
  readonly isRemoved?: true;
}

const result = (outcome: Outcome, rest: Partial<Omit<RowResult, 'outcome'>> = {}): RowResult => ({
  outcome,
  portId: '',
  status: '',
  message: '',
  whatToDo: '',
  bookedDate: '',
  submittedAt: '',
  completedAt: '',
  ...rest,
});

const fixAndImport = 'Fix what the message names and import the row again';

/** An invalid row, which is part of no request. */
export const rejectedResult = (messages: readonly string[]): RowResult =>
  result('rejected', { message: messages.join('; '), whatToDo: 'Fix the row in rejected.csv and import that file' });

/** A row whose number is on an earlier row, and that has no other error. */
export const duplicateResult = (messages: readonly string[]): RowResult =>
  result('duplicate', { message: messages.join('; '), whatToDo: 'No action needed: the earlier row has the number' });

/** A valid row that is not part of a request yet. */
export const waitingResult = result('waiting', { whatToDo: 'No action needed: the row will be submitted' });
const waitingPartAdvice =
  'No action needed: the service declined the call with this row, which is sent again with fewer others';
/** A valid row of a plan that waits for approval. */
export const plannedResult = result('waiting', { whatToDo: 'Approve the import to submit it' });
/** A valid row that was not sent, because the import was stopped. */
export const stoppedResult = result('waiting', {
  message: stoppedError.message,
  whatToDo: 'Resume the import to send the row',
});

/** With the reason why it waits, where the import has it and not the request. */
export function explainWaiting(row: RowResult, item: ImportItem): RowResult {
  const isExplained = row.outcome !== 'waiting' || row.message !== '' || row.whatToDo !== waitingResult.whatToDo;
  if (isExplained) return row;
  if (item.state === 'planned' && !mayBeSent(item)) return plannedResult;
  return item.state === 'stopped' || stopOf(item) === 'until-resumed' ? stoppedResult : row;
}

const endedResult = result('not-sent', { message: stoppedError.message, whatToDo: 'Import the row again to send it' });
/** A valid row of a request that ended before its rows were known: its plan had expired. */
export const expiredResult = result('declined', {
  message: 'The plan expired before the row was sent',
  whatToDo: 'Import the row again',
});
/** A valid row of a file that was rejected as a whole. */
export const notSentResult = result('not-sent', {
  message: 'No row of this file was submitted',
  whatToDo: 'Fix the file and import it again',
});

/** A valid or invalid row that a person left out of the plan. */
export const leftOutResult = result('not-sent', {
  message: 'The row was left out before the file was sent',
  whatToDo: 'No action needed. To send it, import the row again',
});

const excludedAdvice: Partial<Record<IssueCode, string>> = {
  MSISDN_ALREADY_PORTED: 'No action needed. To port the number again, set account.alreadyPorted to warning',
  MSISDN_IN_LIVE_IMPORT: 'Import the row again once the other import has finished with its number',
  CORRECTION_ROW_ANSWERED: 'No action needed: the other import has the row',
  LINE_NOT_CHANGEABLE: 'Follow the message. No action is needed if the row is as you want it',
};

export const excludedResult = (row: ExcludedRow): RowResult =>
  result(row.code === 'ROW_REFUSED' ? 'declined' : 'skipped', {
    message: row.message,
    whatToDo: excludedAdvice[row.code] ?? fixAndImport,
  });

/** A move that was not made leaves the row in its port: whoever imported it again would ask for a second one. */
function adviceForMove(item: RequestItem): RowResult | undefined {
  const { state, replaces, error } = item;
  if (replaces === undefined || replaces.cancelledAt !== undefined) return undefined;
  const whatToDo = 'No action needed: the row is still in its port';
  if (isStopped(item)) return { ...endedResult, message: error?.message ?? endedResult.message, whatToDo };
  return result(state === 'skipped' ? 'skipped' : 'declined', { message: error?.message ?? '', whatToDo });
}

/** Of a part that was not divided (decision 37), nobody knows which rows are wrong. */
function describeDecline(item: RequestItem): string {
  const { part, attempt, error: { message, lines } = { message: '' } } = item;
  const rows = openRows(item);
  const isTogether = part !== undefined && rows > 1 && attempt > 0 && lines === undefined;
  return isTogether ? `${message} (the service declined ${rows} rows together, and named none)` : message;
}

const resultByState: Readonly<Record<RequestState, (item: RequestItem) => RowResult>> = {
  planned: (item) =>
    isStopped(item)
      ? stoppedResult
      : result('waiting', {
          message: item.error?.message ?? '',
          whatToDo: item.part === undefined ? waitingResult.whatToDo : waitingPartAdvice,
        }),
  scheduled: ({ sendOn = '' }) =>
    result('scheduled', {
      message: `The date can be booked from ${sendOn} on`,
      whatToDo: `No action needed: the row is submitted on ${sendOn}`,
    }),
  'in-flight': () => result('in-progress', { message: 'Being submitted' }),
  unknown: (item) =>
    result('unknown', {
      message: item.error?.message ?? '',
      whatToDo:
        item.search?.for === 'decline'
          ? 'No action needed: the service declined it, checking that it has no port of it'
          : 'No action needed: checking whether the service received it',
    }),
  created: (item) => result('in-progress', { portId: item.portId ?? '', status: item.portStatus ?? '' }),
  accepted: (item) => result('accepted', { portId: item.ticket ?? item.changedPortId ?? '', message: item.note ?? '' }),
  declined: (item) =>
    adviceForMove(item) ??
    (isStopped(item) ? endedResult : result('declined', { message: describeDecline(item), whatToDo: fixAndImport })),
  skipped: (item) => adviceForMove(item) ?? (isStopped(item) ? endedResult : result('skipped')),
  'action-required': (item) =>
    result('action-required', {
      message: item.error?.message ?? '',
      whatToDo: `Check in the service portal whether the service executed it, then resolve ${describeRequest(item)}`,
    }),
};

/** The result of every row of a request as long as the port rows are not known. */
export const requestResult = (item: RequestItem): RowResult => resultByState[item.state](item);

/**
 * What is different about accepted rows, by their lines: some requests are done only once their SIMs show what was
 * requested. A row that is not among them is complete.
 */
export function simResults(item: RequestItem, comparison: ComparisonItem): ReadonlyMap<number, RowResult> {
  const accepted = requestResult(item);
  const { waiting = '', unread = '', sims } = comparison;
  const beingSet = { ...accepted, outcome: 'in-progress', message: waitingForSim } as const;
  const notShown = { ...accepted, message: simNotShown };
  return new Map([
    ...unpackLines(waiting).map((line) => [line, beingSet] as const),
    ...unpackLines(unread).map((line) => [line, notShown] as const),
    ...sims.map((sim) => [sim.line, mismatchResult({ ...accepted, outcome: 'action-required' }, sim)] as const),
  ]);
}

const waitingForSim = 'Accepted, waiting until the SIM has the services';
const simNotShown = 'The service accepted the services, but does not show those of the SIM';

/** In a declined request the lines that the service named carry its reason. The other lines name those lines. */
export function declinedResult(item: RequestItem, line: number): RowResult {
  const named = item.error?.lines ?? [];
  const whole = requestResult(item);
  if (item.state !== 'declined' || named.length === 0 || named.includes(line)) return whole;
  const message = `Declined together with line ${named.join(', ')}: the service declines a request as a whole`;
  return { ...whole, message, whatToDo: 'Import the row again' };
}

/** The result of a port row. `blocking` are the lines that block the ready rows of this port, or ended it. */
export function rowResult(item: RequestItem, row: PortRowState, blocking: readonly number[]): RowResult {
  const portStatusName = item.portStatus ?? '';
  const port = portStatus(portStatusName);
  const status = rowStatus(row.status);
  const common = { portId: item.portId ?? '', message: row.message ?? '' };
  if (status.terminal || isPortStatus(portStatusName, 'Cancelled')) {
    const isWithPort = isPortStatus(portStatusName, 'Cancelled') && common.message === '';
    const message = isWithPort ? describeCancelledWith(blocking) : common.message;
    return cancelledResult({ ...common, message }, row, isRemoved(item, row));
  }
  if (isPortStatus(portStatusName, 'Complete') && row.status !== notInPort) {
    return result('complete', { ...common, status: port.label });
  }
  if (rowNeedsAction(row.status)) {
    return result('action-required', { ...common, status: row.status, whatToDo: adviceForRow(row.status) });
  }
  if (status.beingRechecked) {
    return result('in-progress', { ...common, status: row.status, message: 'The service is checking the row again' });
  }
  if (port.actionRequired && blocking.length === 0) {
    return result('action-required', { ...common, status: port.label, whatToDo: port.advice });
  }
  const message = common.message || describeBlocking(blocking);
  return result('in-progress', { ...common, status: port.label, message });
}

/** How many rows of the port have each outcome. */
export function countPortRows(item: RequestItem, rows: readonly PortRowState[]): Tally {
  const blocking = blockingLinesOf(item, rows);
  const tally: Record<string, number> = {};
  for (const row of rows) {
    const { outcome } = rowResult(item, row, blocking);
    tally[outcome] = (tally[outcome] ?? 0) + 1;
  }
  return tally;
}

const shownLines = 5;
const describeLines = (lines: readonly number[]): string =>
  `line ${lines.slice(0, shownLines).join(', ')}${lines.length > shownLines ? ', …' : ''}`;

const describeBlocking = (lines: readonly number[]): string =>
  lines.length === 0 ? '' : `${blockedBy} ${describeLines(lines)}`;

const describeCancelledWith = (lines: readonly number[]): string =>
  lines.length === 0 ? '' : `The port was cancelled as a whole. A reason is shown for ${describeLines(lines)}`;

export const mismatchAdvice = 'Import mismatches-bar-service-config.csv of this import to set the services again';

/** A row that has ended, and whose SIM has other services than those requested. */
export const mismatchResult = (complete: RowResult, sim: MismatchedSim): RowResult => ({
  ...complete,
  message: [complete.message, describeMismatch(sim)].filter((text) => text !== '').join('; '),
  whatToDo: mismatchAdvice,
});

type Common = Pick<RowResult, 'portId' | 'message'>;

/** What a person does about a number with this status; empty where no action is required. */
export const adviceForRow = (status: string): string =>
  status === notInPort
    ? 'Contact the service operator: the number was sent, but the port does not contain it'
    : rowStatus(status).advice;

const removedAdvice =
  'The row was removed because it blocked other rows. ' +
  'Enter its new PAC in correct-create-port.csv and import that file';

/**
 * The operation whose correction file has the row; null: none has it. A declined row is imported again with its own
 * operation, a row of a port with an invalid PAC is amended, and a row that was removed from its port gets a new one.
 */
export function correctionOf(
  { outcome, status, isRemoved }: RowResult,
  operation: OperationName | null,
): OperationName | null {
  if (outcome === 'action-required' && rowStatus(status).amend === 'allowed') return 'update-port';
  return outcome === 'declined' || isRemoved ? operation : null;
}

/** The operations whose correction files an import can have: its own, and that which amends its ports. */
export function correctionKindsOf(operation: OperationName | null): readonly OperationName[] {
  if (operation === null) return [];
  return operation === 'create-port' ? ['update-port', operation] : [operation];
}

/** Cancelled by us or by the network; the row carries the network's reason (spec gap 29). */
function cancelledResult(common: Common, row: PortRowState, removed: boolean): RowResult {
  const cancelled = { ...common, status: row.status === '' ? 'Cancelled' : row.status };
  if (removed) return result('cancelled', { ...cancelled, whatToDo: removedAdvice, isRemoved: true });
  return result('cancelled', { ...cancelled, whatToDo: common.message === '' ? '' : fixAndImport });
}

const isRemoved = ({ removedRows }: RequestItem, { line }: PortRowState): boolean =>
  removedRows !== undefined && unpackLines(removedRows).includes(line);

/**
 * The lines of rows that block others in a port: invalid rows, and rows that are being checked again (spec gap 30). Of
 * a port that was cancelled, the lines with a reason of the network: the others were cancelled with them (spec gap 29).
 */
export function blockingLinesOf(item: RequestItem, rows: readonly PortRowState[]): number[] {
  const status = item.portStatus ?? '';
  const blocks = isPortStatus(status, 'Cancelled')
    ? ({ message }: PortRowState) => (message ?? '') !== ''
    : (row: PortRowState) => rowStatus(row.status).blocksGate && row.status !== '';
  const canBlock = isPortStatus(status, 'Cancelled') || isBeforeLocked(status);
  return canBlock && !rows.every((row) => rowStatus(row.status).blocksGate) ? rows.filter(blocks).map(lineOf) : [];
}

const lineOf = ({ line }: PortRowState): number => line;
