// The files of an import that contain no PAC, by links that are valid for a minute.
import type { AnswerOf } from '#shared/api/contract.ts';
import { correctionFile, downloadNames } from '#shared/api/schemas/imports.ts';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { correctionKindsOf } from '#shared/domain/imports/outcome.ts';
import { findImportFile, type MissingWorkbook } from '#shared/read-models/import-files.ts';
import type { ObjectHead } from '#shared/store/files/files.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from './find-import.ts';

const linkSeconds = 60;

export async function listFiles(
  { path }: Call<'listFiles'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'listFiles'>> {
  const { importId, operation } = await findImport(dependencies, path.importId);
  const ofOthers = new Set<string>(operationNames.map(correctionFile));
  for (const kind of correctionKindsOf(operation)) ofOthers.delete(correctionFile(kind));
  const names = downloadNames.filter((name) => !ofOthers.has(name.replace(/\.\w+$/, '')));
  const found = await Promise.all(names.map((name) => findImportFile(dependencies, importId, name)));
  return {
    files: names.flatMap((name, index) => {
      const file = found[index];
      if (file === undefined || 'csv' in file) return [];
      return [{ name, bytes: file.bytes, changedAt: file.lastModified.toISOString() }];
    }),
  };
}

export async function createFileLink(
  { path }: Call<'createFileLink'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'createFileLink'>> {
  const { importId } = await findImport(dependencies, path.importId);
  const file = await findImportFile(dependencies, importId, path.fileName);
  if (file === undefined) throw notFound(`Import ${importId} has no ${path.fileName}, or it has expired.`);
  return linkTo(file, `${importId}-${path.fileName}`, dependencies);
}

/** @throws ApiProblem for a workbook that does not have the rows of its CSV yet */
export async function linkTo(
  file: ObjectHead | MissingWorkbook,
  fileName: string,
  { links, wall }: Pick<ReadDependencies, 'links' | 'wall'>,
): Promise<AnswerOf<'createFileLink'>> {
  if ('csv' in file) {
    const detail =
      'The workbook is written after the CSV: try again in a moment. An import with more rows than a sheet has no ' +
      'workbook: download the CSV.';
    throw new ApiProblem('not-ready', detail, { retryAfterSeconds: 5 });
  }
  const { bucket, key, bytes } = file;
  const url = await links.download({ bucket, key }, fileName, linkSeconds);
  return { url, fileName, bytes, expiresAt: new Date(wall() + linkSeconds * 1_000).toISOString() };
}
