// An import that is about to be planned, and the time until which ingest works on it.

import type { ImportItem } from '#shared/import/import.ts';
import { attemptUntil, renewalMs } from '#shared/import/import-state.ts';
import { keepRenewing } from '#shared/runtime/clock.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';

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

// Renews the time until which ingest works on an import, for as long as it does. After a crash the time passes.

export async function holdAttempt<Result>(
  importId: string,
  work: () => Promise<Result>,
  { imports, wait, log, clocks }: IngestPipeline,
): Promise<Result> {
  const renew = () =>
    imports
      .update(importId, { attemptUntil: attemptUntil(clocks.wall()) }, ['planning', 'planned'])
      .catch((error: unknown) => log.warn('the attempt was not renewed', { importId, error }));
  const renewal = keepRenewing(renew, renewalMs, wait);
  try {
    return await work();
  } finally {
    await renewal.end();
  }
}
