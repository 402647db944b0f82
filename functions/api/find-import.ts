// Reads an import of the account that the API serves, and what both functions of the API ask about it.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import {
  type ApprovalPeople,
  type ApprovalProblem,
  findApprovalProblem,
  findResumeProblem,
  uploaderOf,
} from '#shared/domain/imports/approval.ts';
import type { AuditEntry } from '#shared/domain/imports/audit-entry.ts';
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
  const people = await readPeople(item, caller, dependencies);
  return findApprovalProblem({ ...people, item, now: isoTime(dependencies.wall()), planHash });
}

/** Why this person may not resume the import; undefined where they may. */
export const readResumeProblem = async (
  item: ImportItem,
  caller: Caller,
  dependencies: ReadDependencies,
): Promise<ApprovalProblem | undefined> => findResumeProblem(item, await readPeople(item, caller, dependencies));

async function readPeople(
  item: ImportItem,
  caller: Caller,
  { settings, audit }: ReadDependencies,
): Promise<ApprovalPeople> {
  const entry = (await audit.uploaders([item.importId])).get(item.importId);
  return peopleOf(item, caller, settings, entry);
}

/** @param entry who uploaded the file, of the audit trail */
export const peopleOf = (
  item: ImportItem,
  { id }: Caller,
  { approval: mode }: ReadDependencies['settings'],
  entry: AuditEntry | undefined,
): ApprovalPeople => ({ mode, uploader: uploaderOf(item, entry), approver: { provider: 'console', id } });
