// The files of an import that contain no PAC, by links that are valid for a minute.
import type { AnswerOf } from '#shared/api/contract.ts';
import { correctionFileName, downloadNames } from '#shared/api/schemas/imports.ts';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { correctionKindsOf } from '#shared/domain/imports/outcome.ts';
import { importFileKey } from '#shared/store/files/object-keys.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { notFound } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from './find-import.ts';

const linkSeconds = 60;

export async function listFiles(
  { path }: Call<'listFiles'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'listFiles'>> {
  const { importId, operation } = await findImport(dependencies, path.importId);
  const ofOthers = new Set<string>(operationNames.map(correctionFileName));
  for (const kind of correctionKindsOf(operation)) ofOthers.delete(correctionFileName(kind));
  const names = downloadNames.filter((name) => !ofOthers.has(name));
  const heads = await Promise.all(names.map((name) => headOf(dependencies, importId, name)));
  return {
    files: names.flatMap((name, index) => {
      const head = heads[index];
      return head === undefined ? [] : [{ name, bytes: head.bytes, changedAt: head.lastModified.toISOString() }];
    }),
  };
}

const headOf = ({ files, resources }: ReadDependencies, importId: string, name: string) =>
  files.head({ bucket: resources.resultsBucket, key: importFileKey(importId, name) });

export async function createFileLink(
  { path }: Call<'createFileLink'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'createFileLink'>> {
  const { importId } = await findImport(dependencies, path.importId);
  const head = await headOf(dependencies, importId, path.fileName);
  if (head === undefined) throw notFound(`Import ${importId} has no ${path.fileName}, or it has expired.`);
  const fileName = `${importId}-${path.fileName}`;
  return {
    url: await dependencies.links.download({ bucket: head.bucket, key: head.key }, fileName, linkSeconds),
    fileName,
    bytes: head.bytes,
    expiresAt: new Date(dependencies.wall() + linkSeconds * 1_000).toISOString(),
  };
}
