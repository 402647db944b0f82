// Approves exactly the plan that a person saw.
import type { AnswerOf } from '#shared/api/contract.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { ApiProblem } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from '../read/find-import.ts';
import { requesterOf } from '../read/imports.ts';
import { readApprovalProblem } from '../read/plan.ts';
import { recordAudit } from './record-audit.ts';

export async function approveImport(
  { path, body, caller }: Call<'approveImport'>,
  dependencies: WriteDependencies,
): Promise<AnswerOf<'approveImport'>> {
  const item = await findImport(dependencies, path.importId);
  const { importId, accepted, requestCount, state, approvedAt } = item;
  const { planHash, because } = body;
  const problem = await readApprovalProblem(item, planHash, caller, dependencies);
  if (problem !== undefined) {
    const changed = {
      'state-changed': { state, approvedAt, requestedBy: requesterOf(item) },
      'plan-changed': { planHash: item.planHash ?? null, rows: accepted, requestCount },
      'second-person-required': undefined,
    }[problem.code];
    throw new ApiProblem(problem.code, `${problem.reason}.`, changed && { changed });
  }
  // Recorded first: ingest believes the name of a person in the command only where it finds their approval.
  const details = { planHash, rows: String(accepted), requests: String(requestCount) };
  await recordAudit(importId, { action: 'approved', caller, because, details }, dependencies);
  const command = { approve: importId, plan: planHash, actorId: caller.id, by: caller.name };
  await dependencies.command({ ...command, ...(because && { because }) });
  return { importId, rows: accepted, requestCount };
}
