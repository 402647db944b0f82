// Every status of a port and of a port row, and what it means (spec, States and transitions; spec gaps 27 to 30).
// The two tables below state what a status means: to add one, add a line, also to the lists of its test. The console
// has its explanation.

/**
 * Whether the service cancels in this status (spec gap 28). `try`: the spec is silent, so the service decides.
 * `done`: it is cancelled, or the cancellation is requested.
 */
export type CancelRule = 'allowed' | 'try' | 'not-allowed' | 'done';

interface PortFacts {
  readonly cancel: CancelRule;
  /** null: terminal, the port never changes again. */
  readonly poll: PollRule | null;
  /** Row statuses can change while the port status stays the same, so the detail must be read. */
  readonly rowsMayMove?: boolean;
  /** Every row can be cancelled one by one, whatever its own status. */
  readonly anyRowCancellable?: boolean;
  /** What a person must do; absent where no action is required. */
  readonly advice?: string;
}

const askOperator = 'The service operator has been informed. Contact them if the status does not change';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const growing = (factor: number, min: number, max: number): PollInterval => ({ factor, min, max });
const every = (ms: number): PollInterval => growing(0, ms, ms);
const always = (interval: PollInterval): PollRule => ({ beforePortDate: interval, fromPortDate: interval });

/** No port waits longer than this for its next read. */
export const longestPollDays = 4;

export const pollRules = {
  /** The service checks PACs within minutes of a create or an amend. */
  validating: always(growing(1, minute, hour)),
  /** A person must correct a row: a change is likely soon after the last one. */
  actionRequired: always(growing(1, 2 * minute, 6 * hour)),
  submitted: { beforePortDate: growing(7, 15 * minute, day), fromPortDate: every(hour) },
  /** Nothing can stop a locked port: the next change comes on the port date. */
  locked: { beforePortDate: every(longestPollDays * day), fromPortDate: every(15 * minute) },
  /** The service provisions a port in several steps, each soon after the last one. */
  provisioning: always(growing(1, 15 * minute, hour)),
  /** The spec does not define how long such a status lasts. */
  unspecified: always(growing(1, 10 * minute, 6 * hour)),
} as const satisfies Readonly<Record<string, PollRule>>;

const portStatuses = {
  Created: { cancel: 'allowed', poll: pollRules.validating, rowsMayMove: true },
  'Network Validating': { cancel: 'allowed', poll: pollRules.validating, rowsMayMove: true },
  'Network Rejected': {
    cancel: 'allowed',
    poll: pollRules.actionRequired,
    rowsMayMove: true,
    anyRowCancellable: true,
    advice: 'Cancel the rejected rows or the whole port',
  },
  'Pac Check Failed': {
    cancel: 'allowed',
    poll: pollRules.actionRequired,
    rowsMayMove: true,
    advice: 'Amend the invalid PACs, or cancel those rows',
  },
  Submitted: { cancel: 'allowed', poll: pollRules.submitted, rowsMayMove: true },
  Locked: { cancel: 'not-allowed', poll: pollRules.locked },
  Ported: { cancel: 'not-allowed', poll: pollRules.provisioning },
  'Awaiting Serial': { cancel: 'try', poll: pollRules.unspecified, rowsMayMove: true },
  'Create RA': { cancel: 'not-allowed', poll: pollRules.provisioning },
  'Awaiting RA': { cancel: 'not-allowed', poll: pollRules.provisioning },
  'Create Configuration': { cancel: 'not-allowed', poll: pollRules.provisioning },
  'Awaiting Configuration': { cancel: 'not-allowed', poll: pollRules.provisioning },
  SubmittedWithErrors: { cancel: 'try', poll: pollRules.unspecified, rowsMayMove: true, advice: askOperator },
  Error: { cancel: 'try', poll: pollRules.unspecified, rowsMayMove: true, advice: askOperator },
  Complete: { cancel: 'not-allowed', poll: null },
  Cancelled: { cancel: 'done', poll: null },
} as const satisfies Readonly<Record<string, PortFacts>>;

/** A status that the spec does not name is never terminal and never called failed. */
const unknownPortStatus: PortFacts = { cancel: 'try', poll: pollRules.unspecified, rowsMayMove: true };

interface RowStatusFacts {
  readonly cancel: CancelRule;
  /** The port is not submitted while a row is like this (spec: only PacValid and Cancelled rows pass). */
  readonly blocksGate?: boolean;
  /** Whether Update Port takes a new PAC for the row (spec, Update Port). */
  readonly amend: 'allowed' | 'try' | 'not-allowed';
  /** The service has taken a change of the row and checks it again (spec gap 30). */
  readonly beingRechecked?: boolean;
  readonly terminal?: boolean;
  /** What a person must do; absent where no action is required. */
  readonly advice?: string;
}

const rowStatuses = {
  PacInvalid: {
    cancel: 'allowed',
    blocksGate: true,
    amend: 'allowed',
    advice: 'Get a new PAC and amend the row, or cancel the row',
  },
  PacInvalidDate: {
    cancel: 'allowed',
    blocksGate: true,
    amend: 'allowed',
    advice: 'The PAC is not valid on the port date. Get a new PAC and amend the row, or cancel the row',
  },
  PacValid: { cancel: 'not-allowed', amend: 'not-allowed' },
  Submitted: { cancel: 'allowed', amend: 'not-allowed' },
  Amended: { cancel: 'not-allowed', blocksGate: true, amend: 'not-allowed', beingRechecked: true },
  CancellationRequested: { cancel: 'done', blocksGate: true, amend: 'not-allowed', beingRechecked: true },
  Cancelled: { cancel: 'done', amend: 'not-allowed', terminal: true },
} as const satisfies Readonly<Record<string, RowStatusFacts>>;

/** Only two statuses pass the gate, so a row status that the spec does not name blocks it. */
const unknownRowStatus: RowStatusFacts = { cancel: 'try', blocksGate: true, amend: 'try' };

export type PortStatusName = keyof typeof portStatuses;
/** In the order in which a port passes through them. */
export const portStatusNames = Object.keys(portStatuses) as readonly PortStatusName[];
export type RowStatusName = keyof typeof rowStatuses;

export interface PortStatus extends Required<PortFacts> {
  /** The name as the spec writes it; of an unknown status, as the service wrote it. */
  readonly label: string;
  readonly known: boolean;
  readonly terminal: boolean;
  readonly actionRequired: boolean;
}

export interface RowStatus extends Required<RowStatusFacts> {
  readonly label: string;
  readonly known: boolean;
  readonly actionRequired: boolean;
}

const portStatusOf = (label: string, facts: PortFacts, known: boolean): PortStatus => ({
  rowsMayMove: false,
  anyRowCancellable: false,
  advice: '',
  ...facts,
  label,
  known,
  terminal: facts.poll === null,
  actionRequired: facts.advice !== undefined,
});

const rowStatusOf = (label: string, facts: RowStatusFacts, known: boolean): RowStatus => ({
  blocksGate: false,
  beingRechecked: false,
  terminal: false,
  advice: '',
  ...facts,
  label,
  known,
  actionRequired: facts.advice !== undefined,
});

/** Letters only, lower case: "Pac Check Failed" and "PacCheckFailed" are the same status (spec gap 27). */
export const normaliseStatus = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const portStatusByKey: ReadonlyMap<string, PortStatus> = new Map(
  Object.entries(portStatuses).map(([label, facts]) => [normaliseStatus(label), portStatusOf(label, facts, true)]),
);
const rowStatusByKey: ReadonlyMap<string, RowStatus> = new Map(
  Object.entries(rowStatuses).map(([label, facts]) => [normaliseStatus(label), rowStatusOf(label, facts, true)]),
);

export const portStatus = (name: string): PortStatus =>
  portStatusByKey.get(normaliseStatus(name)) ?? portStatusOf(name, unknownPortStatus, false);

export const rowStatus = (name: string): RowStatus =>
  rowStatusByKey.get(normaliseStatus(name)) ?? rowStatusOf(name, unknownRowStatus, false);

/** Whether the service means this status, however it writes it. */
export const isPortStatus = (name: string, expected: PortStatusName): boolean => portStatus(name).label === expected;
const isRowStatus = (name: string, expected: RowStatusName): boolean => rowStatus(name).label === expected;

/** The gate blocks rows only before Locked, and a cancellation is certain to be accepted only until then. */
export const isBeforeLocked = (name: string): boolean => portStatus(name).cancel === 'allowed';

/** The status of a number that was sent and that its port does not contain. */
export const notInPort = 'Not In Port';

/** Whether a person must act on the row, whatever the status of its port. */
export const rowNeedsAction = (status: string): boolean => status === notInPort || rowStatus(status).actionRequired;

/** What people see of a row. Rows keep the status `Submitted` after their port has ended: then the port counts. */
export const shownRowStatus = (row: string, port: string): string =>
  portStatus(port).terminal && !rowStatus(row).terminal && row !== notInPort ? port : row;

// The gate of the service: no row of a port is submitted while one row of it is invalid (spec gap 30).

/** How the message of a row begins that waits for other rows of its port. */
export const blockedBy = 'Blocked by';

/** The row waits for others, and not for the network. */
export const isBlocked = ({ outcome, message }: { readonly outcome: string; readonly message: string | null }) =>
  outcome === 'in-progress' && message?.startsWith(`${blockedBy} `) === true;

export interface GateRow {
  readonly msisdn: string;
  readonly statusName: string;
}

/** Which rows of one port wait, and for which others. After the gate no row is `PacValid`, so none is blocked. */
export function blockedRows(rows: readonly GateRow[]) {
  const numbersOf = (chosen: readonly GateRow[]) => chosen.map(({ msisdn }) => msisdn);
  const blocking = rows.filter(({ statusName }) => rowStatus(statusName).blocksGate);
  const blocked = blocking.length === 0 ? [] : rows.filter(({ statusName }) => isRowStatus(statusName, 'PacValid'));
  return {
    blocked: numbersOf(blocked),
    blocking: blocked.length === 0 ? [] : numbersOf(blocking),
    beingRechecked: numbersOf(blocking.filter(({ statusName }) => rowStatus(statusName).beingRechecked)),
    summary: blocked.length === 0 ? '' : describe(blocking.length, blocked.length),
  };
}

const describe = (blocking: number, blocked: number): string =>
  `${blocking} ${blocking === 1 ? 'row blocks' : 'rows block'} ${blocked} ready ${blocked === 1 ? 'row' : 'rows'}`;

// How often sync reads a port. The table of statuses gives each status one of these rules.

/** The wait until the next read, in milliseconds: `factor` times the age of the last change, from `min` to `max`. */
export interface PollInterval {
  readonly factor: number;
  readonly min: number;
  readonly max: number;
}

/** Which interval applies depends on the days that are left until the port date. */
interface PollRule {
  readonly beforePortDate: PollInterval;
  readonly fromPortDate: PollInterval;
}

/** All actions take up to 24 hours (spec): a port that has not ended a day after its date waits for the operator. */
export const overdueInterval = growing(1, hour, 12 * hour);

/** Milliseconds until the next read of a port that last changed `ageMs` ago. */
export const waitMs = ({ factor, min, max }: PollInterval, ageMs: number): number =>
  Math.min(Math.max(ageMs * factor, min), max);
