// What a move of a port may depend on: conditions and timings, each with the words that the documentation shows.
import type { Calendar } from '../calendar/calendar.ts';
import { type PacOutcome, pacOutcome, serialOutcome } from './magic-values.ts';
import { isLiveRow, lastMovedAt, type Port, type Row } from './port.ts';

const minuteMs = 60_000;

export interface Condition {
  readonly words: string;
  readonly holds: (port: Port) => boolean;
}

export interface Timing {
  readonly words: string;
  /** Epoch milliseconds at which the move is due. */
  readonly due: (port: Port, calendar: Calendar) => number;
}

const anyLiveRow = (port: Port, test: (row: Row) => boolean): boolean =>
  port.rows.some((row) => isLiveRow(row) && test(row));
const hasPac = (port: Port, outcome: PacOutcome): boolean => anyLiveRow(port, (row) => pacOutcome(row.pac) === outcome);
const isKeep = (port: Port): boolean => port.portTypeName === 'MigrateInKeep';

export const isRejectedSim = (row: Row): boolean => serialOutcome(row.serialNo) === 'network-rejects';
const hasLateSerial = (row: Row): boolean => row.serialNo === null || serialOutcome(row.serialNo) === 'serial-late';

export const always: Condition = { words: 'always', holds: () => true };

export const not = ({ holds }: Condition, words: string): Condition => ({ words, holds: (port) => !holds(port) });

export const all = (...conditions: readonly Condition[]): Condition => ({
  words: conditions.map(({ words }) => words).join(', '),
  holds: (port) => conditions.every(({ holds }) => holds(port)),
});

/** The gate of the spec: rows go to the network only if every row is PacValid or Cancelled. */
export const gateOpen: Condition = {
  words: 'the gate is open',
  holds: (port) => port.rows.every(({ status }) => status === 'PacValid' || status === 'Cancelled'),
};
export const gateShut = not(gateOpen, 'the gate is shut');

export const keep: Condition = { words: 'MigrateInKeep', holds: isKeep };
export const noKeep = not(keep, 'not MigrateInKeep');

export const simRejected: Condition = {
  words: 'a SIM that the network does not keep',
  holds: (port) => isKeep(port) && anyLiveRow(port, isRejectedSim),
};
export const noSimRejected = not(simRejected, 'every SIM can be kept');

export const serialMissing: Condition = {
  words: 'MigrateInKeep, a serial number is not known',
  holds: (port) => isKeep(port) && anyLiveRow(port, hasLateSerial),
};
export const serialsKnown = not(serialMissing, 'every serial number is known');

export const services: Condition = {
  words: 'services to configure',
  holds: (port) => anyLiveRow(port, (row) => (row.services?.length ?? 0) > 0),
};
export const noServices = not(services, 'no services to configure');

export const cancelAccepted: Condition = {
  words: 'Cancel Port was accepted',
  holds: (port) => port.cancelRequestedAt !== null,
};
export const notCancelling = not(cancelAccepted, 'not being cancelled');

export const sourceRejects: Condition = {
  words: 'the source network rejects (a REJ PAC)',
  holds: (port) => hasPac(port, 'source-rejects'),
};
/** An error state comes once: after the operator has resolved it, the same PAC has no effect. */
export const errorPac: Condition = {
  words: 'an ERR PAC',
  holds: (port) => port.resolvedAt === null && hasPac(port, 'error'),
};
export const providerFails: Condition = {
  words: 'a SWE PAC',
  holds: (port) => port.resolvedAt === null && hasPac(port, 'provider-error'),
};
export const canLock = all(notCancelling, not(sourceRejects, 'not rejected'), not(providerFails, 'no SWE PAC'));

const units = { minute: minuteMs, hour: 60 * minuteMs } as const;
type Unit = keyof typeof units;

/** That long after the status was entered. */
export const after = (count: number, unit: Unit): Timing => ({
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
export const afterLastRow: Timing = {
  words: '1 minute after the last row',
  due: (port) => lastMovedAt(port) + (hasUncheckedSlowPac(port) ? 6 * units.hour : units.minute),
};

export const afterCancelRequest: Timing = {
  words: '30 minutes after Cancel Port',
  due: ({ cancelRequestedAt }) => (cancelRequestedAt ?? Number.POSITIVE_INFINITY) + 30 * units.minute,
};

/** The check of the PACs takes minutes, or hours if the donor network is slow. */
export const afterPacCheck: Timing = {
  words: '3 minutes',
  due: (port) => port.since + (hasPac(port, 'slow') ? 6 * units.hour : 3 * units.minute),
};

export const onLockEvening: Timing = {
  words: '18:00 on the working day before the connection date',
  due: (port, calendar) => calendar.lockAt(port.connectionDate),
};

export const onPortMorning: Timing = {
  words: '08:00 on the connection date, but not before the working day after the lock',
  due: (port, calendar) => calendar.portAt(port.connectionDate, port.since),
};

/** For moves that a client or the operator triggers. */
export const atOnce: Timing = { words: 'at once', due: () => Number.POSITIVE_INFINITY };
