// Reads an import of the account that the API serves, and what both functions of the API ask about it.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import {
  type ApprovalProblem,
  findApprovalProblem,
  type Identity,
  isUploader,
  uploaderOf,
} from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { ReadDependencies } from './context.ts';
import { ApiProblem, notFound } from './http/api-problem.ts';
import { type Caller, hasRole } from './http/caller.ts';

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
  const { settings, wall } = dependencies;
  const { uploader, person: approver } = await readPeople(item, caller, dependencies);
  const people = { mode: settings.approval, uploader, approver, authors: item.settingsBy ?? [] };
  return findApprovalProblem({ ...people, item, now: isoTime(wall()), planHash });
}

/** @throws ApiProblem for a person who neither uploaded the file nor is an operator */
export async function checkMayReadAgain(
  item: ImportItem,
  caller: Caller,
  dependencies: ReadDependencies,
): Promise<void> {
  if (hasRole(caller, 'operator')) return;
  const { uploader, person } = await readPeople(item, caller, dependencies);
  if (isUploader(uploader, person)) return;
  throw new ApiProblem('role-required', 'Only who uploaded the file, or an operator, may read it in another way.');
}

async function readPeople(item: ImportItem, caller: Caller, { audit }: ReadDependencies) {
  const uploader = uploaderOf(item, (await audit.uploaders([item.importId])).get(item.importId));
  const person: Identity = { provider: 'console', id: caller.id };
  return { uploader, person };
}
