// The gate of the service: no row of a port is submitted while one row of it is invalid (spec gap 30).
import { isRowStatus, rowStatus } from '#shared/port/port-status.ts';

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
