// Import items for tests of the command line: by default a small, finished one.
import type { ImportItem } from '#shared/import/import.ts';

export const someImport = (changes: Partial<ImportItem> = {}): ImportItem => ({
  importId: '0123456789abcdef',
  account: '1001@service',
  operation: 'create-port',
  state: 'finished',
  bucket: 'inbox',
  key: 'create-port/july.csv',
  etag: 'e',
  bytes: 100,
  planOnly: false,
  expiresAt: 1_850_000_000,
  receivedAt: '2026-07-01T10:00:00.000Z',
  changedAt: '2026-07-01T10:01:00.000Z',
  rows: 3,
  accepted: 3,
  rejected: 0,
  warnings: 0,
  requestCount: 1,
  issues: [],
  requests: { created: 1 },
  ports: { Complete: 1 },
  actionRequired: 0,
  skippedRows: 0,
  ...changes,
});
