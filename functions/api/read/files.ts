// Links to the files of an import, and its report.
import * as z from 'zod';
import { importStates } from '#shared/import/import.ts';
import { correctionKindsOf } from '#shared/outcome/row-result.ts';
import { importProgress } from '#shared/results/answers.ts';
import { findImportFile, type MissingWorkbook } from '#shared/results/import-files.ts';
import { stateBeside } from '#shared/results/progress.ts';
import { fileNameOf } from '#shared/results/results.ts';
import type { ObjectHead } from '#shared/store/files.ts';
import { readAgainIfReplaced } from '#shared/store/object-keys.ts';
import { type OperationName, operationNames } from '#shared/text/identity.ts';
import { count, instant } from '#shared/text/stored-values.ts';
import type { ApiReader } from '../context.ts';
import { findImport, recordAudit } from '../find-import.ts';
import { ApiProblem, type Caller, endpoint, notFound } from '../http/endpoint.ts';
import { importPath, text } from '../schemas.ts';

// The files of an import that contain no PAC, by links that are valid for a minute.

/** The name of a correction file, by the operation that it is imported with. */
const correctionFile = (operation: OperationName) => `correct-${operation}` as const;

const tables = ['results', ...operationNames.map(correctionFile), 'mismatches-bar-service-config'] as const;

/**
 * Files without PACs. An upload and rejected.csv contain PACs, so they cannot be downloaded here. A workbook has the
 * rows of its CSV.
 */
const downloadNames = [...tables.flatMap((name) => [`${name}.xlsx`, `${name}.csv`] as const), 'issues.ndjson'] as const;

const fileList = z.object({
  files: z.array(z.object({ name: z.enum(downloadNames), bytes: count, changedAt: instant })),
});

export const downloadLink = z.object({ url: z.string(), fileName: z.string(), bytes: count, expiresAt: instant });

const linkSeconds = 60;

export const listFiles = endpoint(
  {
    at: 'GET /imports/{importId}/files',
    role: 'viewer',
    summary: 'The files of an import',
    accepts: { path: importPath },
    answer: fileList,
  },
  async ({ path }, reader: ApiReader) => {
    const { importId, operation } = await findImport(reader, path.importId);
    const ofOthers = new Set<string>(operationNames.map(correctionFile));
    for (const kind of correctionKindsOf(operation)) ofOthers.delete(correctionFile(kind));
    const names = downloadNames.filter((name) => !ofOthers.has(name.replace(/\.\w+$/, '')));
    const found = await Promise.all(names.map((name) => findImportFile(reader, importId, name)));
    return {
      files: names.flatMap((name, index) => {
        const file = found[index];
        if (file === undefined || 'csv' in file) return [];
        return [{ name, bytes: file.bytes, changedAt: file.lastModified.toISOString() }];
      }),
    };
  },
);

export const createFileLink = endpoint(
  {
    at: 'GET /imports/{importId}/files/{fileName}',
    role: 'viewer',
    summary: 'A link to download a file, valid for a minute',
    accepts: { path: importPath.extend({ fileName: z.enum(downloadNames) }) },
    answer: downloadLink,
    problems: ['not-ready'],
  },
  async ({ path, caller }, reader: ApiReader) => {
    const { importId } = await findImport(reader, path.importId);
    const file = await findImportFile(reader, importId, path.fileName);
    if (file === undefined) throw notFound(`Import ${importId} has no ${path.fileName}, or it has expired.`);
    return linkTo(file, { importId, caller, fileName: `${importId}-${path.fileName}` }, reader);
  },
);

interface Download {
  readonly importId: string;
  readonly caller: Caller;
  /** On the machine of the person. */
  readonly fileName: string;
}

/**
 * A link, and its entry in the audit trail.
 * @throws ApiProblem for a workbook that does not have the rows of its CSV yet
 */
export async function linkTo(
  file: ObjectHead | MissingWorkbook,
  { importId, caller, fileName }: Download,
  reader: ApiReader,
): Promise<z.output<typeof downloadLink>> {
  const { links, wall } = reader;
  if ('csv' in file) {
    const detail =
      'The workbook is written after the CSV: try again in a moment. An import with more rows than a sheet has no ' +
      'workbook: download the CSV.';
    throw new ApiProblem('not-ready', detail, { retryAfterSeconds: 5 });
  }
  const { bucket, key, bytes } = file;
  const details = { file: fileNameOf(key) };
  await recordAudit(importId, { action: 'downloaded', caller, details }, reader);
  const url = await links.download({ bucket, key }, fileName, linkSeconds);
  return { url, fileName, bytes, expiresAt: new Date(wall() + linkSeconds * 1_000).toISOString() };
}

// The report of an import for a manager, and its file.

const reportGroup = z.object({ name: z.string(), rows: count, outcomes: importProgress.shape.outcomes });

const reportAnswer = z.object({
  importId: z.string(),
  file: z.string(),
  state: z.enum(importStates),
  rows: count,
  outcomes: importProgress.shape.outcomes,
  byNetwork: z.array(reportGroup),
  /** By connection date: the rows that are to be ported, and completed so far. */
  byDay: z.array(z.object({ day: z.string(), rows: count, complete: count })),
  /** By the column that the query names; empty without one. */
  byColumn: z.array(reportGroup),
  /** The columns of the file that `by` can name. */
  columns: z.array(z.string()),
  asOf: instant,
});

const noRows = 'The rows of this import are not written yet, or have expired.';

export const getReport = endpoint(
  {
    at: 'GET /reports/{importId}',
    role: 'viewer',
    summary: 'The result of an import by network, by day and by a column of the file',
    accepts: { path: importPath, query: z.object({ by: text(200, 1).optional() }) },
    answer: reportAnswer,
    problems: ['unknown-column', 'file-expired'],
  },
  async ({ path, query }, reader: ApiReader) => {
    const item = await findImport(reader, path.importId);
    const { readImportReport } = await import('#shared/results/import-report.ts');
    const report = await readAgainIfReplaced(() => readImportReport(reader, item, query.by));
    if (report === undefined) throw new ApiProblem('file-expired', noRows);
    // What the answer does not offer cannot be counted: a column of codes is none.
    if (query.by !== undefined && !report.columns.includes(query.by)) {
      throw new ApiProblem('unknown-column', `The rows cannot be counted by a column "${query.by}". See columns.`);
    }
    const { importId, state, key } = item;
    return {
      ...report,
      importId,
      state: stateBeside(report.outcomes, state),
      file: fileNameOf(key),
      asOf: report.asOf.toISOString(),
    };
  },
);

export const createReportLink = endpoint(
  {
    at: 'GET /reports/{importId}/{format}',
    role: 'viewer',
    summary: 'A link to download the report, valid for a minute',
    accepts: { path: importPath.extend({ format: z.enum(['xlsx', 'csv']) }) },
    answer: downloadLink,
    problems: ['not-ready', 'file-expired'],
  },
  async ({ path, caller }, reader: ApiReader) => {
    const { importId, key } = await findImport(reader, path.importId);
    const file = await findImportFile(reader, importId, `results.${path.format}`);
    if (file === undefined) throw new ApiProblem('file-expired', noRows);
    const fileName = `results-${fileNameOf(key).replace(/\.[^.]*$/, '')}.${path.format}`;
    return linkTo(file, { importId, caller, fileName }, reader);
  },
);
