// Releases a plan that waited for approval: the second half of an upload below plan/, or with plan-only.
import { requestedByOf } from '#shared/domain/imports/actor.ts';
import { errorAt } from '#shared/domain/imports/issue.ts';
import type { ApprovalMessage } from '#shared/domain/imports/plan.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { Deadline } from '#shared/runtime/deadline.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import { rejectImport } from './reject-import.ts';
import { type ReleaseDependencies, release } from './release.ts';

export interface ApproveDependencies extends ReleaseDependencies {
  readonly imports: Pick<Imports, 'get' | 'update'>;
}

/**
 * Releases an import in state `planned`. In any other state it does nothing, so an approval may come twice or too late.
 * Submit checks dates that passed while the plan waited (decision 10). undefined: there is no such import.
 * @throws ReleaseHalted, and what the table, the bucket and the queue throw: repeat the message
 */
export async function approve(
  { approve: importId, ...asking }: ApprovalMessage,
  deadline: Deadline,
  dependencies: ApproveDependencies,
): Promise<ImportItem | undefined> {
  const { imports, now } = dependencies;
  const item = await imports.get(importId);
  if (item?.state === 'submitting') return release(item, deadline, dependencies);
  if (item?.state !== 'planned') return item;
  // Stored first: after a crash, a repeated event of the upload continues as well as a repeated approval.
  const { approvedAt = now(), requestedBy = requestedByOf(asking) } = item;
  const approved = await imports.update(importId, { approvedAt, requestedBy }, ['planned']);
  if (approved === undefined) return imports.get(importId);
  try {
    return await release(approved, deadline, dependencies);
  } catch (error) {
    if (!isGone(error)) throw error;
    return rejectExpired(approved, dependencies);
  }
}

const isGone = (error: unknown): boolean => error instanceof Error && error.name === 'ObjectGone';

/** A plan contains porting codes, so it expires. */
function rejectExpired(
  { importId, issues }: ImportItem,
  dependencies: ApproveDependencies,
): Promise<ImportItem | undefined> {
  const issue = errorAt(0, 'FILE_GONE', 'the plan expired before it was approved: import the file again');
  return rejectImport(importId, 'planned', { issues: [issue, ...issues] }, dependencies);
}
