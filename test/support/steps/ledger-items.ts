// A request, a port and their rows as stored in the table, for tests of pure rules.
import type { PortItem, PortRowState } from '#shared/port/port.ts';
import type { RequestItem } from '#shared/request/request.ts';

export const noon = Date.parse('2026-07-06T12:00:00Z');
export const iso = (epochMs: number): string => new Date(epochMs).toISOString();

export const requestItemOf = (changes: Partial<RequestItem> = {}): RequestItem => ({
  account: '1001@service',
  importId: 'import-a',
  request: 1,
  operation: 'create-port',
  state: 'planned',
  label: 'Group',
  token: 'sim1-0000000000000000',
  rowCount: 2,
  plan: { key: 'imports/import-a/plan.ndjson', start: 0, end: 100, digest: 'sha-256' },
  attempt: 0,
  revision: 0,
  changedAt: iso(noon),
  expiresAt: 1_850_000_000,
  ...changes,
});

export const portRowsOf = (...statuses: readonly string[]): PortRowState[] =>
  statuses.map((status, index) => ({ line: index + 2, msisdn: `44770090000${index + 1}`, status }));

export const portItemOf = (changes: Partial<PortItem> = {}): PortItem => ({
  portId: 'port-1',
  account: '1001@service',
  importId: 'import-a',
  request: 1,
  name: 'Group sim1-0000000000000000',
  status: 'Submitted',
  connectionDate: '2026-07-20T00:00:00',
  rowCount: 2,
  readyRows: 0,
  blockingRows: 0,
  actionRequired: 0,
  missingReads: 0,
  readAt: iso(noon),
  rowsReadAt: iso(noon),
  changedAt: iso(noon),
  expiresAt: 1_850_000_000,
  ...changes,
});
