// The list of imports, and one import.
import * as z from 'zod';
import type { AnswerOf } from '#shared/api/contract.ts';
import type { AuditEntry } from '#shared/domain/imports/audit-entry.ts';
import { redeliveryAfter } from '#shared/domain/imports/ingest-attempt.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { ImportProgress } from '#shared/read-models/answers.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { countedRequests, readImportProgress } from '#shared/read-models/import-progress.ts';
import { readOutage } from '#shared/read-models/outage.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from './find-import.ts';

const defaultPageSize = 50;

const position = z.object({ before: z.iso.datetime() });

export async function listImports(
  { query }: Call<'listImports'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'listImports'>> {
  const { imports, audit, resources } = dependencies;
  const limit = query.limit ?? defaultPageSize;
  const before = decodeCursor(position, query.cursor)?.before;
  const page = await imports.list(resources.account, { limit: limit + 1, ...(before && { before }) });
  const items = page.slice(0, limit);
  const uploaders = await audit.uploaders(items.map(({ importId }) => importId));
  const shown = items.filter(({ state }) => query.state === undefined || state === query.state);
  const last = items.at(-1);
  return {
    imports: shown.map((item) => importSummaryOf(item, storedProgress(item), uploaders.get(item.importId))),
    nextCursor: page.length > limit && last !== undefined ? encodeCursor({ before: last.receivedAt }) : null,
  };
}

export async function getImport(
  { path }: Call<'getImport'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'getImport'>> {
  const item = await findImport(dependencies, path.importId);
  const [progress, outage, uploaders] = await Promise.all([
    readProgress(item, dependencies),
    readOutage(dependencies),
    dependencies.audit.uploaders([item.importId]),
  ]);
  const redeliveryAt = redeliveryAfter(item, dependencies.wall());
  return {
    ...importSummaryOf(item, progress, uploaders.get(item.importId)),
    ...(redeliveryAt && { redeliveryAt }),
    ...(progress.expectedDate && { expectedDate: progress.expectedDate }),
    declinedApproval: declinedApprovalOf(item),
    issues: item.issues,
    corrections: item.corrections ?? {},
    mismatches: item.mismatches?.sims ?? 0,
    ...(outage && { outage }),
  };
}

function declinedApprovalOf({ declinedApproval }: ImportItem): AnswerOf<'getImport'>['declinedApproval'] {
  if (declinedApproval === undefined) return null;
  const { by, at, reason } = declinedApproval;
  return { by, at, reason };
}

/** Of a first import only report counts each row once, with what its corrections did (decision 40). */
async function readProgress(item: ImportItem, dependencies: ReadDependencies): Promise<ImportProgress> {
  const isLive = item.requestCount <= countedRequests || item.outcomes === undefined;
  const live = isLive ? await readImportProgress(dependencies, item) : storedProgress(item);
  return item.hasCorrections && item.outcomes !== undefined ? { ...live, outcomes: item.outcomes } : live;
}

/** Before the first report nothing is submitted. */
function storedProgress({ outcomes, state, accepted, rejected }: ImportItem): ImportProgress {
  if (outcomes !== undefined) return { outcomes };
  const counts = { waiting: state === 'rejected' ? 0 : accepted, rejected };
  return { outcomes: Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0)) };
}

/** Who approved or moved it, in their own words. The principal of AWS is in the audit trail. */
export const requesterOf = ({ requestedBy }: ImportItem) =>
  requestedBy === undefined
    ? null
    : { by: requestedBy.by, ...(requestedBy.because && { because: requestedBy.because }) };

function importSummaryOf(
  item: ImportItem,
  { outcomes }: ImportProgress,
  uploader: AuditEntry | undefined,
): AnswerOf<'listImports'>['imports'][number] {
  const { importId, operation, state, bytes, rows, accepted, rejected, warnings } = item;
  const { requestCount, requests, ports, actionRequired, planOnly, receivedAt, changedAt } = item;
  return {
    ...{ importId, operation, state, bytes, rows, accepted, rejected, warnings, outcomes },
    ...{ requestCount, requests, ports, actionRequired, planOnly, receivedAt, changedAt },
    file: fileNameOf(item.key),
    skipped: item.skippedRows,
    uploadedBy: uploader === undefined ? null : { by: uploader.by, isVerified: true },
    approvedAt: item.approvedAt ?? null,
    requestedBy: requesterOf(item),
    reschedules: item.reschedules ?? null,
  };
}
