// A request whose port was created, and what the service shows of this port, for tests of snapshots.
import { noon, portItemOf, portRowsOf, requestItemOf } from './ledger-items.ts';

export const hour = 3_600_000;
export const context = { account: '1001@service', zone: 'Europe/London', callingCode: '44', readAt: noon + hour };
export const request = requestItemOf({
  state: 'created',
  portId: 'port-1',
  portStatus: 'Submitted',
  actionRequired: 0,
  portRows: { 'in-progress': 2 },
  portDate: '2026-07-20',
});
export const reading = (statusName: string, rows: readonly (readonly [string, string, string?])[]) => ({
  id: 'port-1',
  name: 'Group sim1-0000000000000000',
  statusName,
  connectionDate: '2026-07-20T00:00:00',
  rowCount: rows.length,
  rows: rows.map(([msisdn, status, message]) => ({ msisdn, statusName: status, message: message ?? null })),
});
export const known = (rows = portRowsOf('Submitted', 'Submitted'), port = portItemOf()) => ({ request, port, rows });
export const same = reading('Submitted', [
  ['07700900001', 'Submitted'],
  ['+447700900002', 'Submitted'],
]);
