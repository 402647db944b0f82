// What a line of a file is about: a number, or a SIM.
import { mapHeader } from '#shared/csv/header.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { operationNamed } from '#shared/operations/registry.ts';

/** It stands in the first column of the operation, whatever the file calls it. */
export function subjectReader({ operation }: ImportItem): (columns: Readonly<Record<string, string>>) => string {
  const columns = operation === null ? undefined : operationNamed(operation)?.columns.slice(0, 1);
  return (cells) => {
    const names = Object.keys(cells);
    const index = columns && mapHeader(names, columns).indexes.values().next().value;
    return index === undefined ? '' : (cells[names[index] ?? ''] ?? '');
  };
}
