// The item of an import that is about to be planned.
import type { ImportItem } from '#shared/import/import.ts';

/** The counts of an import before its file is read. */
export const notReadYet = { rows: 0, accepted: 0, rejected: 0, warnings: 0, requestCount: 0, issues: [] };

/** What only reading the file and sending its requests shows. */
type Later =
  | ('state' | 'receivedAt' | 'changedAt' | 'rows' | 'accepted' | 'rejected' | 'warnings' | 'issues')
  | ('requestCount' | 'requests' | 'ports' | 'actionRequired' | 'skippedRows');

/** @param now ISO 8601 */
export const newImport = (origin: Omit<ImportItem, Later>, now: string): ImportItem => ({
  ...origin,
  state: 'planning',
  receivedAt: now,
  changedAt: now,
  ...notReadYet,
  requests: {},
  ports: {},
  actionRequired: 0,
  skippedRows: 0,
});
