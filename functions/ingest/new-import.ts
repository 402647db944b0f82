// The item of an import that is about to be planned.
import type { ImportItem } from '#shared/domain/requests/ledger.ts';

type Origin = Pick<
  ImportItem,
  'importId' | 'account' | 'operation' | 'bucket' | 'key' | 'etag' | 'bytes' | 'planOnly'
> &
  Partial<
    Pick<
      ImportItem,
      | 'attemptUntil'
      | 'planningStarts'
      | 'versionId'
      | 'supersededBy'
      | 'reschedules'
      | 'requestedBy'
      | 'columnIndexes'
      | 'columnIndexesForPeople'
      | 'layout'
      | 'onInvalidPac'
      | 'uploadedBy'
      | 'expiresAt'
    >
  >;

/** @param now ISO 8601 */
export const newImport = (origin: Origin, now: string): ImportItem => ({
  ...origin,
  state: 'planning',
  receivedAt: now,
  changedAt: now,
  rows: 0,
  accepted: 0,
  rejected: 0,
  warnings: 0,
  requestCount: 0,
  issues: [],
  requests: {},
  ports: {},
  actionRequired: 0,
  skippedRows: 0,
});
