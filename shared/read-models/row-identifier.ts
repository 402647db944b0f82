// Loaded with the operations, which the other read models do not need.
import { operationNamed } from '#shared/operations/registry.ts';
import type { FileOutcomes, RowOutcome } from '#shared/results/file-rows.ts';

/**
 * What the rows of a file are about, for people: a number, or a SIM. It is the first column of the operation, whatever
 * the file calls it.
 */
export function createRowIdentifier(file: FileOutcomes): (row: RowOutcome) => string {
  const { operation, columnIndexes, maskCells } = file;
  const column = operationNamed(operation ?? '')?.columns[0]?.name;
  const index = columnIndexes[column ?? ''] ?? -1;
  return ({ cells, result }) => maskCells(cells, result.outcome)[index] ?? '';
}
