// Approves exactly the plan that a person saw.
import type { AnswerOf } from '#shared/api/contract.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { ApiProblem } from '../http/api-problem.ts';
import type { Caller } from '../http/caller.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from '../read/find-import.ts';
import { recordAudit } from './record-audit.ts';

export async function approveImport(
  { path, body, caller }: Call<'approveImport'>,
  dependencies: WriteDependencies,
): Promise<AnswerOf<'approveImport'>> {
  const item = await findImport(dependencies, path.importId);
  const { importId, accepted, requestCount } = item;
  requirePlanned(item);
  await requireSecondPerson(importId, caller, dependencies);
  const { planHash } = body;
  if (item.planHash !== planHash) {
    const detail = 'The plan was made again since you opened it. Read it again, then approve it.';
    throw new ApiProblem('plan-changed', detail, {
      changed: { planHash: item.planHash ?? null, rows: accepted, requestCount },
    });
  }
  const { because } = body;
  await dependencies.command({ approve: importId, plan: planHash, by: caller.name, ...(because && { because }) });
  const details = { planHash, rows: String(accepted), requests: String(requestCount) };
  await recordAudit(importId, { action: 'approved', caller, because, details }, dependencies);
  return { importId, rows: accepted, requestCount };
}

/** @throws ApiProblem with what the import is instead */
function requirePlanned({ state, approvedAt, requestedBy }: ImportItem): void {
  if (state === 'planned' && approvedAt === undefined) return;
  const texts: Partial<Record<ImportItem['state'], string>> = {
    planning: 'The file is still being read. Try again when its plan is complete.',
    rejected: 'The import was rejected: there is nothing to submit.',
  };
  const by = requestedBy === undefined ? '' : ` by ${requestedBy.by}`;
  const detail = texts[state] ?? `The import was approved before${by}.`;
  throw new ApiProblem('state-changed', detail, { changed: { state, approvedAt, requestedBy } });
}

async function requireSecondPerson(
  importId: string,
  caller: Caller,
  { settings, audit }: Pick<WriteDependencies, 'settings' | 'audit'>,
): Promise<void> {
  if (!settings.needsSecondPerson) return;
  const uploader = (await audit.uploaders([importId])).get(importId);
  if (uploader?.actorId !== caller.id) return;
  throw new ApiProblem('second-person-required', 'You uploaded this file: another approver must approve it.');
}
