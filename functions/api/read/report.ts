// The report of an import for a manager, and its file.
import * as z from 'zod';
import { count, instant } from '#shared/domain/schemas.ts';
import { importStates } from '#shared/import/import.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { findImportFile } from '#shared/read-models/import-files.ts';
import { importProgress } from '#shared/results/answers.ts';
import { readAgainIfReplaced } from '#shared/store/files/object-gone.ts';
import type { ReadDependencies } from '../context.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { importPath, text } from '../schemas.ts';
import { downloadLink, linkTo } from './files.ts';

const reportGroup = z.object({ name: z.string(), rows: count, outcomes: importProgress.shape.outcomes });

const reportAnswer = z.object({
  importId: z.string(),
  file: z.string(),
  state: z.enum(importStates),
  rows: count,
  outcomes: importProgress.shape.outcomes,
  byNetwork: z.array(reportGroup),
  /** By connection date: planned, and completed so far. */
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
    problems: ['file-expired'],
  },
  async ({ path, query }, dependencies: ReadDependencies) => {
    const item = await findImport(dependencies, path.importId);
    const { readImportReport } = await import('#shared/results/import-report.ts');
    const report = await readAgainIfReplaced(() => readImportReport(dependencies, item, query.by));
    if (report === undefined) throw new ApiProblem('file-expired', noRows);
    const { importId, state, key } = item;
    return { ...report, importId, state, file: fileNameOf(key), asOf: report.asOf.toISOString() };
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
  async ({ path, caller }, dependencies: ReadDependencies) => {
    const { importId, key } = await findImport(dependencies, path.importId);
    const file = await findImportFile(dependencies, importId, `results.${path.format}`);
    if (file === undefined) throw new ApiProblem('file-expired', noRows);
    const fileName = `results-${fileNameOf(key).replace(/\.[^.]*$/, '')}.${path.format}`;
    return linkTo(file, { importId, caller, fileName }, dependencies);
  },
);
