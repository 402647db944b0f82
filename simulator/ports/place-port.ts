// Puts a port into a status at once, with rows and times that fit it. Only the test controls do this.
import { checkPac } from './check-pac.ts';
import { isLiveRow, type Port, type PortStatus, type Row, type RowStatus } from './port.ts';

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
