// Approves exactly the plan that a person saw.
import * as z from 'zod';
import { count } from '#shared/domain/schemas.ts';
import type { WriteDependencies } from '../context.ts';
import { findImport, readApprovalProblem, requesterOf } from '../find-import.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { recordAudit } from '../http/record-audit.ts';
import { because, importPath, text } from '../schemas.ts';

const approveBody = z.strictObject({
  /** As `GET /imports/{importId}/plan` answered it: exactly this plan is approved. */
  planHash: text(200, 1),
  because,
});

export const approveImport = endpoint(
  {
    at: 'POST /imports/{importId}/approve',
    role: 'approver',
    summary: 'Submit the plan of an import',
    accepts: { path: importPath, body: approveBody },
    status: 202,
    answer: z.object({ importId: z.string(), rows: count, requestCount: count }),
    problems: ['plan-changed', 'state-changed', 'second-person-required'],
  },
  async ({ path, body, caller }, dependencies: WriteDependencies) => {
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
    // Recorded first: ingest accepts the name in the command only if it finds the recorded approval.
    const details = { planHash, rows: String(accepted), requests: String(requestCount) };
    await recordAudit(importId, { action: 'approved', caller, because, details }, dependencies);
    const command = { approve: importId, plan: planHash, actorId: caller.id, by: caller.name };
    await dependencies.command({ ...command, ...(because && { because }) });
    return { importId, rows: accepted, requestCount };
  },
);
