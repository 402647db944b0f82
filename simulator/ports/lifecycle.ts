// The lifecycle of a port and of its rows, as one table: which moves exist, what triggers them, when, and on which
// condition. Nothing runs on a timer: `advancePort` makes every move that is due by a given time, so a clock may jump.
// (spec "States and transitions". The spec does not state delays and order; docs/reference/simulator.md states the
// choice.)
import type { Calendar } from '../calendar.ts';
import { checkPac, type PacOutcome, pacOutcome, serialOutcome } from './check-pac.ts';
import { isLiveRow, lastMovedAt, type Port, type PortStatus, type Row, type RowStatus, serialOf } from './port.ts';

const minuteMs = 60_000;

/** What a move of a port may depend on, with the words that the documentation shows. */
interface Condition {
  readonly words: string;
  readonly holds: (port: Port) => boolean;
}

interface Timing {
  readonly words: string;
  /** Epoch milliseconds at which the move is due. */
  readonly due: (port: Port, calendar: Calendar) => number;
}

const anyLiveRow = (port: Port, test: (row: Row) => boolean): boolean =>
  port.rows.some((row) => isLiveRow(row) && test(row));
const hasPac = (port: Port, outcome: PacOutcome): boolean => anyLiveRow(port, (row) => pacOutcome(row.pac) === outcome);
const isKeep = (port: Port): boolean => port.portTypeName === 'MigrateInKeep';

const isRejectedSim = (row: Row): boolean => serialOutcome(row.serialNo) === 'network-rejects';
const hasLateSerial = (row: Row): boolean => row.serialNo === null || serialOutcome(row.serialNo) === 'serial-late';

const always: Condition = { words: 'always', holds: () => true };

const not = ({ holds }: Condition, words: string): Condition => ({ words, holds: (port) => !holds(port) });

const all = (...conditions: readonly Condition[]): Condition => ({
  words: conditions.map(({ words }) => words).join(', '),
  holds: (port) => conditions.every(({ holds }) => holds(port)),
});

/** The gate of the spec: rows go to the network only if every row is PacValid or Cancelled. */
const gateOpen: Condition = {
  words: 'the gate is open',
  holds: (port) => port.rows.every(({ status }) => status === 'PacValid' || status === 'Cancelled'),
};
const gateShut = not(gateOpen, 'the gate is shut');

const keep: Condition = { words: 'MigrateInKeep', holds: isKeep };
const noKeep = not(keep, 'not MigrateInKeep');

const simRejected: Condition = {
  words: 'a SIM that the network does not keep',
  holds: (port) => isKeep(port) && anyLiveRow(port, isRejectedSim),
};
const noSimRejected = not(simRejected, 'every SIM can be kept');

const serialMissing: Condition = {
  words: 'MigrateInKeep, a serial number is not known',
  holds: (port) => isKeep(port) && anyLiveRow(port, hasLateSerial),
};
const serialsKnown = not(serialMissing, 'every serial number is known');

const services: Condition = {
  words: 'services to configure',
  holds: (port) => anyLiveRow(port, (row) => (row.services?.length ?? 0) > 0),
};
const noServices = not(services, 'no services to configure');

const cancelAccepted: Condition = {
  words: 'Cancel Port was accepted',
  holds: (port) => port.cancelRequestedAt !== null,
};
const notCancelling = not(cancelAccepted, 'not being cancelled');

const sourceRejects: Condition = {
  words: 'the source network rejects (a REJ PAC)',
  holds: (port) => hasPac(port, 'source-rejects'),
};
/** An error state comes once: after the operator has resolved it, the same PAC has no effect. */
const errorPac: Condition = {
  words: 'an ERR PAC',
  holds: (port) => port.resolvedAt === null && hasPac(port, 'error'),
};
const providerFails: Condition = {
  words: 'a SWE PAC',
  holds: (port) => port.resolvedAt === null && hasPac(port, 'provider-error'),
};
const canLock = all(notCancelling, not(sourceRejects, 'not rejected'), not(providerFails, 'no SWE PAC'));

const units = { minute: minuteMs, hour: 60 * minuteMs } as const;
type Unit = keyof typeof units;

/** That long after the status was entered. */
const after = (count: number, unit: Unit): Timing => ({
  words: `${count} ${unit}${count === 1 ? '' : 's'}`,
  due: (port) => port.since + count * units[unit],
});

/** Before Network Rejected no PAC was checked; after Pac Check Failed only the new ones are. */
const hasUncheckedSlowPac = (port: Port): boolean =>
  anyLiveRow(
    port,
    ({ pac, since }) => pacOutcome(pac) === 'slow' && (port.status === 'Network Rejected' || since > port.since),
  );

/** Once every row of a port is right again. With a slow PAC that was not checked yet, the check takes its hours. */
const afterLastRow: Timing = {
  words: '1 minute after the last row',
  due: (port) => lastMovedAt(port) + (hasUncheckedSlowPac(port) ? 6 * units.hour : units.minute),
};

const afterCancelRequest: Timing = {
  words: '30 minutes after Cancel Port',
  due: ({ cancelRequestedAt }) => (cancelRequestedAt ?? Number.POSITIVE_INFINITY) + 30 * units.minute,
};

/** The check of the PACs takes minutes, or hours if the donor network is slow. */
const afterPacCheck: Timing = {
  words: '3 minutes',
  due: (port) => port.since + (hasPac(port, 'slow') ? 6 * units.hour : 3 * units.minute),
};

const onLockEvening: Timing = {
  words: '18:00 on the working day before the connection date',
  due: (port, calendar) => calendar.lockAt(port.connectionDate),
};

const onPortMorning: Timing = {
  words: '08:00 on the connection date, but not before the working day after the lock',
  due: (port, calendar) => calendar.portAt(port.connectionDate, port.since),
};

/** For moves that a client or the operator triggers. */
const atOnce: Timing = { words: 'at once', due: () => Number.POSITIVE_INFINITY };

/** `time` moves happen by themselves. A client or the service's operator triggers the others. */
export type Trigger = 'time' | 'Cancel Port' | 'operator';

type RowEffect = (row: Row, at: number) => Row;

export interface PortMove {
  readonly from: PortStatus;
  readonly to: PortStatus;
  readonly trigger: Trigger;
  readonly when: Condition;
  readonly takes: Timing;
  /** What the move does to each row. */
  readonly row?: RowEffect;
}

/** Rows that are cancelled stay so, whatever happens to their port. */
const rowsBecome =
  (status: RowStatus): RowEffect =>
  (row, at) =>
    isLiveRow(row) ? { ...row, status, since: at } : row;

const rowsRejected: RowEffect = (row, at) => {
  const isCause = isLiveRow(row) && pacOutcome(row.pac) === 'source-rejects';
  const message = 'Rejected by the source network: the PAC belongs to another account.';
  return { ...rowsBecome('Cancelled')(row, at), ...(isCause && { message }) };
};

const rowsNotKept: RowEffect = (row) =>
  isLiveRow(row) && isRejectedSim(row) ? { ...row, message: 'The network does not allow this SIM to be kept.' } : row;

const rowsGetSerials: RowEffect = (row) => ({ ...row, serialNo: serialOf(row) });

const byTime = (from: PortStatus, to: PortStatus, takes: Timing, when = always, row?: RowEffect): PortMove => ({
  from,
  to,
  trigger: 'time',
  when,
  takes,
  ...(row && { row }),
});

const byCancel = (from: PortStatus): PortMove => ({
  from,
  to: 'Cancelled',
  trigger: 'Cancel Port',
  when: always,
  takes: atOnce,
  row: rowsBecome('Cancelled'),
});

/** The network needs some time, so the port stays Submitted until `afterCancelRequest`. */
const cancelSubmitted: PortMove = {
  ...byCancel('Submitted'),
  to: 'Submitted',
  when: notCancelling,
  row: rowsBecome('CancellationRequested'),
};

/** The spec states only that the operator resolves the error. Here the port returns to where the error happened. */
const byOperator = (from: PortStatus, to: PortStatus): PortMove => ({
  from,
  to,
  trigger: 'operator',
  when: always,
  takes: atOnce,
});

const toNetwork = rowsBecome('Submitted');

/** How Created and Network Validating end, when the PACs have been checked. */
const pacCheck = (from: PortStatus, applies: Condition): PortMove[] => [
  byTime(from, 'Error', afterPacCheck, all(applies, errorPac)),
  byTime(from, 'Submitted', afterPacCheck, all(applies, gateOpen), toNetwork),
  byTime(from, 'Pac Check Failed', afterPacCheck, all(applies, gateShut)),
];

/** Every move of a port. Of the moves whose condition holds, the earliest is made; of two at once, the first listed. */
export const portMoves: readonly PortMove[] = [
  byTime('Created', 'Network Validating', after(1, 'minute'), keep),
  ...pacCheck('Created', noKeep),
  byCancel('Created'),

  byTime('Network Validating', 'Network Rejected', after(2, 'minute'), simRejected, rowsNotKept),
  ...pacCheck('Network Validating', noSimRejected),
  byCancel('Network Validating'),

  byTime('Network Rejected', 'Error', afterLastRow, all(noSimRejected, errorPac)),
  byTime('Network Rejected', 'Submitted', afterLastRow, all(noSimRejected, gateOpen), toNetwork),
  byTime('Network Rejected', 'Pac Check Failed', afterLastRow, all(noSimRejected, gateShut)),
  byCancel('Network Rejected'),

  byTime('Pac Check Failed', 'Error', afterLastRow, all(gateOpen, errorPac)),
  byTime('Pac Check Failed', 'Submitted', afterLastRow, gateOpen, toNetwork),
  byCancel('Pac Check Failed'),

  cancelSubmitted,
  byTime('Submitted', 'Cancelled', afterCancelRequest, cancelAccepted, rowsBecome('Cancelled')),
  byTime('Submitted', 'Cancelled', after(2, 'hour'), all(notCancelling, sourceRejects), rowsRejected),
  byTime('Submitted', 'SubmittedWithErrors', after(15, 'minute'), all(notCancelling, providerFails)),
  byTime('Submitted', 'Locked', onLockEvening, canLock),

  byTime('Locked', 'Ported', onPortMorning),
  byTime('Ported', 'Awaiting Serial', after(10, 'minute'), serialMissing),
  byTime('Ported', 'Create RA', after(10, 'minute'), serialsKnown),
  byTime('Awaiting Serial', 'Create RA', after(2, 'hour'), always, rowsGetSerials),
  byTime('Create RA', 'Awaiting RA', after(10, 'minute')),
  byTime('Awaiting RA', 'Create Configuration', after(1, 'hour'), services),
  byTime('Awaiting RA', 'Complete', after(1, 'hour'), noServices),
  byTime('Create Configuration', 'Awaiting Configuration', after(10, 'minute')),
  byTime('Awaiting Configuration', 'Complete', after(1, 'hour')),

  byOperator('SubmittedWithErrors', 'Submitted'),
  byCancel('SubmittedWithErrors'),
  byOperator('Error', 'Created'),
  byCancel('Error'),
];

export interface RowMove {
  readonly from: RowStatus;
  readonly to: RowStatus;
  readonly trigger: 'time' | 'Update Port';
  readonly when: RowCondition;
  readonly takes: RowTiming;
}

interface RowCondition {
  readonly words: string;
  readonly holds: (row: Row, port: Port) => boolean;
}

interface RowTiming {
  readonly words: string;
  /** After the row's status was entered; only for `time` moves. */
  readonly milliseconds: (port: Port) => number;
}

const minute = 60_000;
const byUpdateAtOnce: RowTiming = { words: 'at once', milliseconds: () => Number.POSITIVE_INFINITY };
const recheck: RowTiming = { words: '2 minutes', milliseconds: () => 2 * minute };
const rowCancel: RowTiming = {
  words: '1 minute, 30 minutes once at the network',
  milliseconds: ({ history }) => (history.some(({ status }) => status === 'Submitted') ? 30 : 1) * minute,
};

const newPac: RowCondition = { words: 'a new PAC', holds: () => true };
const oneStays: RowCondition = { words: 'another row stays', holds: () => true };
const beforeLock: RowCondition = {
  words: 'another row stays, before Locked',
  holds: (_row, port) => port.lockedAt === null,
};
const inRejectedPort: RowCondition = {
  words: 'another row stays, the port is Network Rejected',
  holds: (_row, port) => port.status === 'Network Rejected',
};
const anyRow: RowCondition = { words: 'always', holds: () => true };

const byUpdate = (from: RowStatus, to: RowStatus, when: RowCondition): RowMove => ({
  from,
  to,
  trigger: 'Update Port',
  when,
  takes: byUpdateAtOnce,
});

const byRecheck = (to: RowStatus, words: string): RowMove => ({
  from: 'Amended',
  to,
  trigger: 'time',
  when: { words, holds: (row, port) => checkPac(row, port.portTypeName).status === to },
  takes: recheck,
});

/** Moves of a single row. The moves of a port change its rows too, to Submitted or Cancelled. */
export const rowMoves: readonly RowMove[] = [
  byUpdate('PacInvalid', 'Amended', newPac),
  byUpdate('PacInvalidDate', 'Amended', newPac),
  byRecheck('PacValid', 'the new PAC is valid'),
  byRecheck('PacInvalid', 'the new PAC is not valid'),
  byRecheck('PacInvalidDate', 'the new PAC is not valid on the date'),

  byUpdate('PacInvalid', 'CancellationRequested', oneStays),
  byUpdate('PacInvalidDate', 'CancellationRequested', oneStays),
  byUpdate('Submitted', 'CancellationRequested', beforeLock),
  byUpdate('PacValid', 'CancellationRequested', inRejectedPort),
  { from: 'CancellationRequested', to: 'Cancelled', trigger: 'time', when: anyRow, takes: rowCancel },
];

// The table of moves as Markdown, which the option `--moves` of the simulator prints.

interface Move {
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly when: { readonly words: string };
  readonly takes: { readonly words: string };
}

const head = ['From', 'To', 'When', 'After'] as const;

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const cellsOf = ({ to, trigger, when, takes }: Move): string[] => {
  const conditions = [trigger === 'time' ? [] : trigger, when.words === 'always' ? [] : when.words].flat();
  return [to, conditions.join(', '), takes.words];
};

/** Moves that differ only in their first status share a row. */
function table(moves: readonly Move[]): string {
  const rows = [...Map.groupBy(moves, (move) => cellsOf(move).join()).values()].map((alike) =>
    tableRow([alike.map(({ from }) => from).join(', '), ...alike.slice(0, 1).flatMap(cellsOf)]),
  );
  return [tableRow(head), tableRow(head.map(() => '---')), ...rows].join('\n');
}

export const lifecycleMarkdown = (): string =>
  [
    'Ports:',
    table(portMoves),
    'Single rows (the moves of a port change its rows too, to Submitted or Cancelled):',
    table(rowMoves),
  ].join('\n\n');
