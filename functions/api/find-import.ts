// The import that an endpoint is about, who asks, and the record of what they did.

import {
  type ApprovalProblem,
  type AuditEntry,
  authorsOf,
  findApprovalProblem,
  isSamePerson,
  requestedByOf,
  uploaderOf,
} from '#shared/import/approval.ts';
import type { Identity, ImportItem } from '#shared/import/import.ts';
import { expiryOf, findAccountProblem } from '#shared/import/import-state.ts';
import { type ReadRowPage, type RowFilter, readRowPage } from '#shared/results/row-page.ts';
import { isObjectGone, readAgainIfReplaced, resultsKey } from '#shared/store/object-keys.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { ApiReader } from './context.ts';
import { ApiProblem, type Caller, hasRole, notFound } from './http/endpoint.ts';

// Reads an import, and what both functions of the API ask about it.

/** @throws ApiProblem 404 */
export async function findImport({ imports }: ApiReader, importId: string): Promise<ImportItem> {
  const item = await imports.get(importId);
  if (item !== undefined) return item;
  throw notFound(`There is no import ${importId}. An upload becomes an import within a few seconds.`);
}

/** For what leads to calls of the service. @throws ApiProblem also for an import of another account */
export async function findImportToSend(reader: ApiReader, importId: string): Promise<ImportItem> {
  const item = await findImport(reader, importId);
  const problem = findAccountProblem(item, reader.resources.account);
  if (problem === undefined) return item;
  throw new ApiProblem('state-changed', `${problem}.`, { changed: { account: item.account } });
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
  reader: ApiReader,
): Promise<ApprovalProblem | undefined> {
  const { settings, resources, wall } = reader;
  const { account } = resources;
  const people = { mode: settings.approval, approver: identityOf(caller), authors: await readAuthors(item, reader) };
  return findApprovalProblem({ ...people, item, account, now: isoTime(wall()), planHash });
}

/** Whoever uploaded the file knows all of it, and so may an operator. */
export async function mayReadAgain(item: ImportItem, caller: Caller, reader: ApiReader): Promise<boolean> {
  if (hasRole(caller, 'operator')) return true;
  return isSamePerson(uploaderOf(item, await readUpload(item, reader)), identityOf(caller));
}

/** @throws ApiProblem for a person who neither uploaded the file nor is an operator */
export async function checkMayReadAgain(item: ImportItem, caller: Caller, reader: ApiReader): Promise<void> {
  if (await mayReadAgain(item, caller, reader)) return;
  throw new ApiProblem('role-required', 'Only who uploaded the file, or an operator, may read it in another way.');
}

export const identityOf = ({ id }: Caller): Identity => ({ provider: 'console', id });

/** Everybody whose input is in the plan of the import. */
export const readAuthors = async (item: ImportItem, reader: ApiReader): Promise<Identity[]> =>
  authorsOf(item, await readUpload(item, reader));

const readUpload = async ({ importId }: ImportItem, { audit }: ApiReader): Promise<AuditEntry | undefined> =>
  (await audit.uploaders([importId])).get(importId);

// Records who did what with an import, with the identity that the token proves.

export async function recordAudit(
  importId: string,
  {
    action,
    caller,
    because,
    authors = [],
    writeId,
    details,
  }: {
    readonly action: AuditEntry['action'];
    readonly caller: Caller;
    readonly because?: string | undefined;
    readonly authors?: readonly Identity[] | undefined;
    readonly writeId?: string | undefined;
    readonly details: Readonly<Record<string, string>>;
  },
  { audit, recordRetentionDays, wall }: ApiReader,
): Promise<void> {
  const now = wall();
  const at = new Date(now).toISOString();
  // Without anything that looks like a PAC.
  const described = requestedByOf({ by: caller.name, because });
  const written = authors.length > 0 && { authors: [...authors] };
  const ofWrite = writeId !== undefined && { writeId };
  const entry = { at, action, actorId: caller.id, ...described, ...written, ...ofWrite, details: { ...details } };
  await audit.record(importId, entry, expiryOf(now, recordRetentionDays));
}

// The rows of an import as report has last written them.

/**
 * undefined: report has not written them yet, or those of an earlier reading only.
 * @throws ApiProblem when they have expired, or are being replaced
 */
export async function readRows(
  item: ImportItem,
  filter: RowFilter,
  reader: ApiReader,
): Promise<ReadRowPage | undefined> {
  if (item.reported === undefined) return undefined;
  const page = await readAgainIfReplaced(() => readRowPage(reader, item, filter)).catch((error: unknown) => {
    if (isObjectGone(error)) throw rowsReplaced();
    throw error;
  });
  if (page !== undefined) return page;
  const results = { bucket: reader.resources.resultsBucket, key: resultsKey(item.importId) };
  if ((await reader.files.head(results)) !== undefined) throw rowsReplaced();
  const detail = 'The rows of this import have expired. The numbers can still be searched for.';
  throw new ApiProblem('file-expired', detail);
}

export const rowsReplaced = () =>
  new ApiProblem('not-ready', 'The results are being replaced. Repeat the request after the time in Retry-After.', {
    retryAfterSeconds: 2,
  });

// Declines a write about a line that several rows of the import have: it could be done to another number.

/**
 * A file can be joined from the corrections of several imports, and then two of its rows may have the same line.
 * @throws ApiProblem
 */
export function checkLinesAreUnique(lines: readonly number[]): void {
  const line = findRepeated(lines);
  if (line === undefined) return;
  const detail = `Several rows have line ${line}, so it is not certain which one you mean.`;
  const advice = 'If the file has rows of several imports, import the rows of each import as a separate file.';
  throw new ApiProblem('line-not-unique', `${detail} ${advice}`, { changed: { line } });
}

function findRepeated(lines: readonly number[]): number | undefined {
  const seen = new Set<number>();
  for (const line of lines) {
    if (seen.has(line)) return line;
    seen.add(line);
  }
  return undefined;
}
