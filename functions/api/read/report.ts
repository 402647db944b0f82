// The report of an import for a manager, and its file.
import type { AnswerOf } from '#shared/api/contract.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { findImportFile } from '#shared/read-models/import-files.ts';
import { readAgainIfReplaced } from '#shared/store/files/object-gone.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { ApiProblem } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';
import { linkTo } from './files.ts';
import { findImport } from './find-import.ts';

const noRows = 'The rows of this import are not written yet, or have expired.';

export async function getReport(
  { path, query }: Call<'getReport'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'getReport'>> {
  const item = await findImport(dependencies, path.importId);
  const { readImportReport } = await import('#shared/read-models/import-report.ts');
  const report = await readAgainIfReplaced(() => readImportReport(dependencies, item, query.by));
  if (report === undefined) throw new ApiProblem('file-expired', noRows);
  const { importId, state, key } = item;
  return { ...report, importId, state, file: fileNameOf(key), asOf: report.asOf.toISOString() };
}

export async function createReportLink(
  { path }: Call<'createReportLink'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'createReportLink'>> {
  const { importId, key } = await findImport(dependencies, path.importId);
  const file = await findImportFile(dependencies, importId, `results.${path.format}`);
  if (file === undefined) throw new ApiProblem('file-expired', noRows);
  return linkTo(file, `results-${fileNameOf(key).replace(/\.[^.]*$/, '')}.${path.format}`, dependencies);
}
