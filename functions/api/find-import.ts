// Reads an import of the account that the API serves, and what both functions of the API ask about it.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import {
  type ApprovalProblem,
  findApprovalProblem,
  type Identity,
  uploaderOf,
} from '#shared/domain/imports/approval.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { ReadDependencies } from './dependencies.ts';
import { notFound } from './http/api-problem.ts';
import type { Caller } from './http/caller.ts';

/** @throws ApiProblem 404, also for an import of another account */
export async function findImport({ imports, resources }: ReadDependencies, importId: string): Promise<ImportItem> {
  const item = await imports.get(importId);
  if (item !== undefined && item.account === resources.account) return item;
  throw notFound(`There is no import ${importId}. An upload becomes an import within a few seconds.`);
}

/** Who approved or moved it, in their own words. The principal of AWS is in the audit trail. */
export const requesterOf = ({ requestedBy }: ImportItem) =>
  requestedBy === undefined
    ? null
    : { by: requestedBy.by, ...(requestedBy.because && { because: requestedBy.because }) };

/** Why this person may not approve the plan with this hash; undefined where they may. */
export async function readApprovalProblem(
  item: ImportItem,
  planHash: string | undefined,
  caller: Caller,
  dependencies: ReadDependencies,
): Promise<ApprovalProblem | undefined> {
  const { settings, audit, wall } = dependencies;
  const uploader = uploaderOf(item, (await audit.uploaders([item.importId])).get(item.importId));
  const approver: Identity = { provider: 'console', id: caller.id };
  return findApprovalProblem({ mode: settings.approval, uploader, approver, item, now: isoTime(wall()), planHash });
}
