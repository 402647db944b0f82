// Moves a port along the table of lifecycle.ts: by time, Cancel Port, Update Port or the operator. Pure: no port is
// changed in place.
import type { Calendar } from '../calendar.ts';
import { checkPac } from './check-pac.ts';
import { type PortMove, portMoves, type RowMove, rowMoves, type Trigger } from './lifecycle.ts';
import { isEnded, isLiveRow, lastMovedAt, type Port, type PortStatus, type Row, type RowStatus } from './port.ts';

const movesFrom = Map.groupBy(portMoves, (move) => move.from);
const rowMovesFrom = Map.groupBy(rowMoves, (move) => move.from);

const possibleMoves = (port: Port, trigger: Trigger): PortMove[] =>
  (movesFrom.get(port.status) ?? []).filter((move) => move.trigger === trigger && move.when.holds(port));

function enter(port: Port, status: PortStatus, at: number, rows: readonly Row[]): Port {
  if (status === port.status) return { ...port, rows };
  return {
    ...port,
    rows,
    status,
    since: at,
    lockedAt: status === 'Locked' ? at : port.lockedAt,
    history: [...port.history, { status, at }],
  };
}

function makePortMove(port: Port, move: PortMove, at: number): Port {
  const { row } = move;
  return enter(port, move.to, at, row ? port.rows.map((each) => row(each, at)) : port.rows);
}

interface DueMove {
  readonly at: number;
  readonly make: () => Port;
}

function nextPortMove(port: Port, calendar: Calendar): DueMove | null {
  let next: DueMove | null = null;
  for (const move of possibleMoves(port, 'time')) {
    // A move whose time passed while the port was in another status, or a row blocked it, is made as soon as possible.
    const at = Math.max(move.takes.due(port, calendar), lastMovedAt(port));
    if (next === null || at < next.at) next = { at, make: () => makePortMove(port, move, at) };
  }
  return next;
}

const rowMoveByTime = (row: Row, port: Port): RowMove | undefined =>
  rowMovesFrom.get(row.status)?.find((move) => move.trigger === 'time' && move.when.holds(row, port));

function makeRowMove(row: Row, port: Port, to: RowStatus, at: number): Row {
  const message = to === 'Cancelled' ? row.message : checkPac(row, port.portTypeName).message;
  return { ...row, status: to, since: at, message };
}

function nextRowMove(port: Port): DueMove | null {
  let soonest = Number.POSITIVE_INFINITY;
  const dueByRow = new Map<string, { move: RowMove; at: number }>();
  for (const row of port.rows) {
    const move = rowMoveByTime(row, port);
    if (move === undefined) continue;
    const at = row.since + move.takes.milliseconds(port);
    dueByRow.set(row.id, { move, at });
    soonest = Math.min(soonest, at);
  }
  if (dueByRow.size === 0) return null;
  const make = (): Port => ({
    ...port,
    rows: port.rows.map((row) => {
      const due = dueByRow.get(row.id);
      return due?.at === soonest ? makeRowMove(row, port, due.move.to, soonest) : row;
    }),
  });
  return { at: soonest, make };
}

/** The next move that a port makes by itself, and when; null if it waits for a client or the operator. */
export function nextMove(port: Port, calendar: Calendar): DueMove | null {
  if (isEnded(port)) return null;
  const ofPort = nextPortMove(port, calendar);
  const ofRow = nextRowMove(port);
  if (ofPort === null || ofRow === null) return ofPort ?? ofRow;
  return ofRow.at <= ofPort.at ? ofRow : ofPort;
}

/** The port as it is at `now` (epoch milliseconds): every move that is due is made, in order, each at its time. */
export function advancePort(port: Port, now: number, calendar: Calendar): Port {
  let current = port;
  for (;;) {
    const next = nextMove(current, calendar);
    if (next === null || next.at > now) return current;
    current = next.make();
  }
}

/** Cancel Port on an advanced port; null if that is not possible any more. A repeated cancel changes nothing. */
export function cancelPort(port: Port, now: number): Port | null {
  if (port.status === 'Submitted' && port.cancelRequestedAt !== null) return port;
  const move = possibleMoves(port, 'Cancel Port')[0];
  return move ? { ...makePortMove(port, move, now), cancelRequestedAt: now } : null;
}

/** Resolves an error state as the service's operator does; null for a port in any other status. */
export function resolvePort(port: Port, now: number): Port | null {
  const move = possibleMoves(port, 'operator')[0];
  return move ? { ...makePortMove(port, move, now), resolvedAt: now } : null;
}

/** Whether Update Port may change the status of this row to `to` now. */
export const canUpdateRow = (row: Row, port: Port, to: RowStatus): boolean =>
  (rowMovesFrom.get(row.status) ?? []).some(
    (move) => move.trigger === 'Update Port' && move.to === to && move.when.holds(row, port),
  );

// Puts a port into a status at once, with rows and times that fit it. Only the test controls do this.

/** Before these statuses the rows have the result of their PAC check. */
const atTheNetwork: ReadonlySet<PortStatus> = new Set([
  'Submitted',
  'SubmittedWithErrors',
  'Locked',
  'Ported',
  'Awaiting Serial',
  'Create RA',
  'Awaiting RA',
  'Create Configuration',
  'Awaiting Configuration',
  'Complete',
]);

const beforeLock: ReadonlySet<PortStatus> = new Set(['Submitted', 'SubmittedWithErrors']);

function rowStatusIn(status: PortStatus, row: Row, port: Port): RowStatus {
  if (status === 'Cancelled') return 'Cancelled';
  return atTheNetwork.has(status) ? 'Submitted' : checkPac(row, port.portTypeName).status;
}

/** Pac Check Failed needs an invalid PAC: without one the port would continue after a minute. */
function withInvalidPac(rows: readonly Row[]): readonly Row[] {
  const isInvalid = ({ status }: Row): boolean => status === 'PacInvalid' || status === 'PacInvalidDate';
  const first = rows.find(isLiveRow);
  if (first === undefined || rows.some(isInvalid)) return rows;
  const message = 'The PAC is not valid for this number.';
  return rows.map((row) => (row === first ? { ...row, status: 'PacInvalid', message } : row));
}

/** The port in `status` from `now` on. Rows that are cancelled stay so. */
export function placePort(port: Port, status: PortStatus, now: number): Port {
  const isLocked = atTheNetwork.has(status) && !beforeLock.has(status);
  const rows = port.rows.map((row) =>
    isLiveRow(row) ? { ...row, status: rowStatusIn(status, row, port), since: now } : row,
  );
  return {
    ...port,
    status,
    since: now,
    cancelRequestedAt: null,
    lockedAt: isLocked ? (port.lockedAt ?? now) : null,
    resolvedAt: null,
    history: status === port.status ? port.history : [...port.history, { status, at: now }],
    rows: status === 'Pac Check Failed' ? withInvalidPac(rows) : rows,
  };
}
