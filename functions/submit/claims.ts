// What is claimed for a request, and what of it other requests have claimed before.
import type { PlannedRequest, PlannedRow } from '#shared/domain/imports/plan.ts';
import type { ExcludedRow, NumberItem, RequestItem } from '#shared/domain/requests/ledger.ts';
import type { Requests } from '#shared/store/tables/requests.ts';
import type { SubmitDependencies } from './dependencies.ts';

export interface ClaimedRows {
  readonly rows: readonly PlannedRow[];
  readonly excludedRows: readonly ExcludedRow[];
}

/** A request with the rows that it may still send. */
export type RowsToClaim = Pick<PlannedRequest, 'importId' | 'request' | 'rows'> &
  Pick<RequestItem, 'expiresAt' | 'replaces'>;

/** What claims read and write. */
export interface ClaimDependencies {
  readonly numbers: SubmitDependencies['numbers'];
  readonly ports: SubmitDependencies['ports'];
  readonly requests: { get: Requests['get'] };
  readonly validation: SubmitDependencies['validation'];
}

/** A claim that another request has made before. */
export interface HeldClaim {
  readonly seen: NumberItem;
  readonly claim: NumberItem;
}

export const isSameRequest = (
  left: Pick<NumberItem, 'importId' | 'request'>,
  right: Pick<NumberItem, 'importId' | 'request'>,
): boolean => left.importId === right.importId && left.request === right.request;
