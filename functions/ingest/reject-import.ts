// Ends an import of which nothing is submitted.
import type { Issue } from '#shared/domain/imports/issue.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import type { Counts } from './row-counts.ts';

export interface RejectDependencies {
  readonly imports: Imports;
  /** The present instant, ISO 8601. */
  readonly now: () => string;
}

/** Rejects an import, unless another delivery has moved it on from `state`. Returns the import as it is then. */
export async function rejectImport(
  importId: string,
  state: 'planning' | 'planned',
  { issues, ...counts }: Partial<Counts> & { readonly issues: readonly Issue[] },
  { imports, now }: RejectDependencies,
): Promise<ImportItem | undefined> {
  const changes: Partial<ImportItem> = { ...counts, issues: [...issues], state: 'rejected', changedAt: now() };
  return (await imports.update(importId, changes, [state])) ?? imports.get(importId);
}
