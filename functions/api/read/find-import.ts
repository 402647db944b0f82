// Reads an import of the account that the API serves.
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { notFound } from '../http/api-problem.ts';

/** @throws ApiProblem 404, also for an import of another account */
export async function findImport(
  { imports, resources }: Pick<ReadDependencies, 'imports' | 'resources'>,
  importId: string,
): Promise<ImportItem> {
  const item = await imports.get(importId);
  if (item !== undefined && item.account === resources.account) return item;
  throw notFound(`There is no import ${importId}. An upload becomes an import within a few seconds.`);
}
