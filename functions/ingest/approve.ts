// A person lets a plan go that waited for it: the second half of an upload below plan/, or with plan-only.
import type { Imports } from '#shared/aws/imports.ts';
import type { Issue } from '#shared/domain/issue.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { askedAs } from '#shared/domain/person.ts';
import type { ApprovalMessage } from '#shared/domain/plan.ts';
import { type ReleaseDependencies, release } from './release.ts';

export interface ApproveDependencies extends ReleaseDependencies {
  readonly imports: Pick<Imports, 'get' | 'update'>;
}

/**
 * Releases an import that is planned. In any other state nothing is done, so approving twice or too late is harmless;
 * dates that went stale while the plan waited are judged by submit (decision 10). undefined: there is no such import.
 * @throws ReleaseHalted, and what the table, the bucket and the queue throw; then the message is to be repeated
 */
export async function approve(
  { approve: importId, ...asking }: ApprovalMessage,
  remainingMs: () => number,
  dependencies: ApproveDependencies,
): Promise<ImportItem | undefined> {
  const { imports, now } = dependencies;
  const item = await imports.get(importId);
  if (item?.state === 'submitting') return release(item, remainingMs, dependencies);
  if (item?.state !== 'planned') return item;
  // Written first: when this attempt dies, a repeated event of the upload goes on as well as a repeated approval.
  const { approvedAt = now(), asked = askedAs(asking) } = item;
  const approved = await imports.update(importId, { approvedAt, asked }, ['planned']);
  if (approved === undefined) return imports.get(importId);
  try {
    return await release(approved, remainingMs, dependencies);
  } catch (error) {
    if (!isGone(error)) throw error;
    return refuseExpired(approved, dependencies);
  }
}

const isGone = (error: unknown): boolean => error instanceof Error && error.name === 'ObjectGone';

/** A plan holds porting codes, so it does not wait for ever. */
async function refuseExpired(item: ImportItem, { imports, now }: ApproveDependencies): Promise<ImportItem | undefined> {
  const message = 'the plan has expired before it was approved: drop the file again';
  const issue: Issue = { line: 0, column: null, code: 'FILE_GONE', severity: 'error', message };
  const changes: Partial<ImportItem> = { state: 'refused', issues: [issue, ...item.issues], changedAt: now() };
  return (await imports.update(item.importId, changes, ['planned'])) ?? imports.get(item.importId);
}
