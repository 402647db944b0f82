// The rows that this request may send: those of the plan, without rows that the service declined before and without
// rows that another request has claimed.
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import type { ExcludedRow, RequestItem } from '#shared/domain/requests/ledger.ts';
import { rowsDeclinedByService, skipRequest } from '#shared/domain/requests/request-state.ts';
import { partFilter } from '#shared/domain/requests/split-request.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import { claimCorrectedRows, claimNumbers } from './claim-numbers.ts';
import type { SubmitDependencies } from './dependencies.ts';
import { declineUnsent, type Finished, finishMessage } from './finish-message.ts';

export interface ClaimedRequest {
  /** With the rows that may be sent. */
  readonly request: PlannedRequest;
  readonly excludedRows: readonly ExcludedRow[];
}

const planExpired = { kind: 'plan-expired', message: 'the plan of this import has expired: import the file again' };

/** Reads the plan and claims its numbers. Makes no call, so it does not wait for other messages. */
export async function claimRows(
  item: RequestItem,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<ClaimedRequest | Finished> {
  const { plans, clocks } = dependencies;
  const planned = await plans.read(item);
  if (planned === undefined) {
    return declineUnsent(item, item, planExpired, submission, dependencies);
  }
  const declined = rowsDeclinedByService(item);
  const isInPart = partFilter(item);
  const rows = planned.rows.filter((row) => isInPart(row) && !declined.some(({ line }) => row.line === line));
  const claim = submission.claims ? claimNumbers : claimCorrectedRows;
  const claimed = await claim({ ...item, rows }, clocks.wall(), dependencies);
  const excludedRows = [...declined, ...claimed.excludedRows];
  if (claimed.rows.length > 0) return { request: { ...planned, rows: [...claimed.rows] }, excludedRows };
  return finishMessage(item, skipRequest(item, excludedRows, clocks.wall()), dependencies);
}
