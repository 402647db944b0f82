// Releases a plan that waited for approval: the second half of an upload below plan/, or with plan-only.
import { requestedByOf } from '#shared/domain/imports/actor.ts';
import { attemptUntil } from '#shared/domain/imports/ingest-attempt.ts';
import { errorAt, type Issue } from '#shared/domain/imports/issue.ts';
import type { ApprovalMessage } from '#shared/domain/imports/plan.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { Deadline } from '#shared/runtime/deadline.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import { rejectImport } from './reject-import.ts';
import { PlanChanged, type ReleaseDependencies, release } from './release.ts';

/** The approval names no plan, or another plan than the import has now. */
export class ApprovalOfAnotherPlan extends Error {
  override readonly name = 'ApprovalOfAnotherPlan';

  constructor(importId: string) {
    super(`the approval is not for the plan of import ${importId}: read its plan and approve it again`);
  }
}

export interface ApproveDependencies extends ReleaseDependencies {
  readonly imports: Pick<Imports, 'get' | 'update'>;
}

/**
 * Releases an import in state `planned`. In any other state it does nothing, so an approval may come twice or too late.
 * Submit checks dates that passed while the plan waited (decision 10). undefined: there is no such import.
 * @throws ApprovalOfAnotherPlan, ReleaseHalted, and what the table, the bucket and the queue throw: repeat the message
 */
export async function approve(
  { approve: importId, plan, ...asking }: ApprovalMessage,
  deadline: Deadline,
  dependencies: ApproveDependencies,
): Promise<ImportItem | undefined> {
  const { imports, now } = dependencies;
  const item = await imports.get(importId);
  if (item?.state === 'submitting') return release(item, deadline, dependencies);
  if (item?.state !== 'planned') return item;
  if (item.planHash !== undefined && item.planHash !== plan) throw new ApprovalOfAnotherPlan(importId);
  // Stored first: after a crash, a repeated event of the upload continues as well as a repeated approval.
  const { approvedAt = now(), requestedBy = requestedByOf(asking) } = item;
  const until = attemptUntil(Date.parse(now()) + deadline.remainingMs());
  const approved = await imports.update(importId, { approvedAt, requestedBy, attemptUntil: until }, ['planned']);
  if (approved === undefined) return imports.get(importId);
  try {
    return await release(approved, deadline, dependencies);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    const { issues } = approved;
    return rejectImport(importId, 'planned', { issues: [problem, ...issues] }, dependencies);
  }
}

/** Why a plan cannot be released; undefined where a repetition may succeed. */
function problemOf(error: unknown): Issue | undefined {
  // A plan contains porting codes, so it expires.
  if (error instanceof Error && error.name === 'ObjectGone') {
    return errorAt(0, 'FILE_GONE', 'the plan expired before it was approved: import the file again');
  }
  if (!(error instanceof PlanChanged)) return undefined;
  return errorAt(0, 'PLAN_CHANGED', 'the plan changed after it was made: nothing was sent. Import the file again');
}
