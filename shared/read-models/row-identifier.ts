// What a row of a file is about: a number, or a SIM.
import { unguardFormula } from '#shared/csv/csv-row.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import type { RowOutcome } from '#shared/results/row-outcomes.ts';

/** It is the first column of the operation, whatever the file calls it. */
export function createRowIdentifier({ operation, columnIndexes = {} }: ImportItem): (row: RowOutcome) => string {
  const column = operation === null ? undefined : operationNamed(operation)?.columns[0]?.name;
  const index = columnIndexes[column ?? ''] ?? -1;
  return ({ cells }) => unguardFormula(cells[index] ?? '');
}
