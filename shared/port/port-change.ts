// Which changes of an existing port and its rows the service still takes (spec, Update Port and Cancel Port;
// spec gaps 28 and 31). The functions get the port as it was just read and report what is done already, so a repeat
// changes nothing.
import { canonicalPac } from '#shared/row/pac.ts';
import { isPortStatus, portStatus, rowStatus } from './port-status.ts';

/** One row of a port as Port Detail shows it. */
export interface PortRowReading {
  readonly statusName: string;
  readonly pac?: string | null | undefined;
}

/** `due`: it can be requested. `done`: the service has done it already. Otherwise the reason why it is impossible. */
export type ChangeCheck = 'due' | 'done' | { readonly impossible: string };

/** Whether the service takes a cancellation of the port, or at least decides about it itself. */
export const isCancellable = (statusName: string): boolean =>
  ['allowed', 'try'].includes(portStatus(statusName).cancel);

/** Whether the whole port can be cancelled. */
export function checkPortCancel(statusName: string): ChangeCheck {
  if (isPortStatus(statusName, 'Cancelled')) return 'done';
  if (isCancellable(statusName)) return 'due';
  return { impossible: `The port is ${portStatus(statusName).label} and can no longer be cancelled` };
}

/**
 * Every row is cancelled, or its cancellation is requested and the network is still to do it. A port that is shown
 * without its rows proves nothing.
 */
export const isBeingCancelled = ({ rows }: { readonly rows: readonly PortRowReading[] }): boolean =>
  rows.length > 0 && rows.every(isRowLeaving);

export const isRowLeaving = ({ statusName }: PortRowReading): boolean => rowStatus(statusName).cancel === 'done';

/** Whether one row can be cancelled while other rows stay. */
export function checkRowCancel(portStatusName: string, row: PortRowReading): ChangeCheck {
  if (isRowLeaving(row)) return 'done';
  const portCheck = checkPortCancel(portStatusName);
  if (portCheck !== 'due') return portCheck;
  const { cancel, label } = rowStatus(row.statusName);
  if (cancel !== 'not-allowed' || portStatus(portStatusName).anyRowCancellable) return 'due';
  const rule = 'only PacInvalid, PacInvalidDate and Submitted rows can be cancelled one by one';
  return { impossible: `The row is ${label}: ${rule}. Wait for its next status, or cancel the whole port` };
}

/** Whether a row takes this PAC. The port shows its PACs, so a change that was made already is recognised. */
export function checkAmend(row: PortRowReading, pac: string): ChangeCheck {
  const { amend, label } = rowStatus(row.statusName);
  if (isRowLeaving(row)) return { impossible: `The row is ${label} and takes no new PAC` };
  const same = hasPac(row, pac);
  if (same && amend !== 'allowed') return 'done';
  if (same) {
    return {
      impossible: `The row is ${label} with this same PAC. Ask the network that the number leaves for a new PAC`,
    };
  }
  if (amend !== 'not-allowed') return 'due';
  return { impossible: `The row is ${label}: only PacInvalid and PacInvalidDate rows take a new PAC` };
}

const hasPac = (row: PortRowReading, pac: string): boolean =>
  row.pac != null && canonicalPac(row.pac) === canonicalPac(pac);

/** What a request changes; numbers are E.164 digits. */
export interface ChangeCommand {
  readonly action: 'amend' | 'cancel';
  /** The request names the port without its numbers. */
  readonly whole: boolean;
  /** The new PAC of each number; null where the row is to be cancelled. */
  readonly pacs: ReadonlyMap<string, string | null>;
  /** An earlier call may have made the change. Otherwise a change that is made already was made by somebody else. */
  readonly mayBeMade: boolean;
}

export interface PlannedChange {
  /** The one call to make; `nothing` where all of it is done already. */
  readonly call: 'amend' | 'cancel-rows' | 'cancel-port' | 'nothing';
  /** The numbers that the call changes; empty for the whole port. */
  readonly numbers: ReadonlySet<string>;
  /** Numbers that cannot be changed, each with the reason. */
  readonly rejected: ReadonlyMap<string, string>;
  /** Why nothing of the port can be changed. */
  readonly rejection?: string;
  /** Why nothing is sent although the port can be changed: somebody else has made the change before. */
  readonly madeBefore?: string;
}

export interface CurrentPort {
  readonly statusName: string;
  /** By number. */
  readonly rows: ReadonlyMap<string, PortRowReading>;
}

/** Chooses the call. Cancelling every row that is left means cancelling the port (spec, Update Port). */
export function planChange(command: ChangeCommand, port: CurrentPort): PlannedChange {
  if (command.action === 'cancel' && isPortStatus(port.statusName, 'Cancelled')) return cancelledBefore(command);
  const staying = [...port.rows].filter(([, row]) => !isRowLeaving(row)).map(([number]) => number);
  const leavesNone = command.whole || (port.rows.size > 0 && staying.every((number) => command.pacs.has(number)));
  if (command.action === 'amend' || !leavesNone) return planRows(command, port);
  const absent = [...command.pacs.keys()].filter((number) => !port.rows.has(number));
  const plan = { numbers: new Set<string>(), rejected: new Map(absent.map((number) => [number, notInPortReason])) };
  if (isBeingCancelled({ rows: [...port.rows.values()] })) return { ...cancelledBefore(command), ...plan };
  const check = checkPortCancel(port.statusName);
  if (typeof check === 'object') return { ...plan, call: 'nothing', rejection: check.impossible };
  return { ...plan, call: 'cancel-port' };
}

/** No number of a cancelled port is ported, also where its detail lacks rows. */
const cancelledBefore = ({ mayBeMade }: ChangeCommand): PlannedChange => ({
  call: 'nothing',
  numbers: new Set(),
  rejected: new Map(),
  ...(!mayBeMade && { madeBefore: madeBefore.cancel }),
});

/** A port is cancelled also where it is moved to another day: then its numbers are in a new one. */
const madeBefore: Readonly<Record<ChangeCommand['action'], string>> = {
  cancel: 'It was cancelled before, so nothing was sent. If the port was moved to another day, cancel its new port',
  amend: 'The port had this PAC before, so nothing was sent',
};

const notInPortReason = 'The port does not contain this number';

function planRows({ action, pacs, mayBeMade }: ChangeCommand, port: CurrentPort): PlannedChange {
  const numbers = new Set<string>();
  const rejected = new Map<string, string>();
  for (const [number, pac] of pacs) {
    const check = checkRow(port, number, pac, mayBeMade);
    if (check === 'due') numbers.add(number);
    else if (check !== 'done') rejected.set(number, check.impossible);
    else if (!mayBeMade) rejected.set(number, madeBefore[action]);
  }
  const call = action === 'amend' ? 'amend' : 'cancel-rows';
  return { call: numbers.size === 0 ? 'nothing' : call, numbers, rejected };
}

function checkRow(port: CurrentPort, number: string, pac: string | null, mayBeMade: boolean): ChangeCheck {
  const row = port.rows.get(number);
  if (row === undefined) return { impossible: notInPortReason };
  if (pac === null) return checkRowCancel(port.statusName, row);
  // A row that left its port since has the PAC that an earlier call has set: nothing is sent for the one that it had.
  return mayBeMade && isRowLeaving(row) && hasPac(row, pac) ? 'done' : checkAmend(row, pac);
}
