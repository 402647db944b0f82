// Invalid rows with the cells that a person has fixed.
import * as z from 'zod';
import { type ImportItem, optionKey } from '#shared/import/import.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { ApiProblem } from '../http/api-problem.ts';

export const maxCorrectedRows = 10_000;

/** Cells by column name of the operation; null for one that a draft holds. */
export const openCells = z.record(z.string().min(1).max(100), z.string().max(2_000).nullable());

/** @throws ApiProblem for a column that the operation and the file of the import do not have */
export function checkColumns(
  rows: readonly { readonly cells: z.output<typeof openCells> }[],
  { optionColumns = [] }: ImportItem,
  operation: Operation | undefined,
): asserts operation is Operation {
  if (operation === undefined) throw new ApiProblem('state-changed', 'The import has no operation to correct.');
  const known = new Set([...operation.columns.map((column) => column.name), ...optionColumns.map(optionKey)]);
  const unknown = rows.flatMap(({ cells }) => Object.keys(cells)).find((column) => !known.has(column));
  if (unknown !== undefined) throw new ApiProblem('unknown-column', `${operation.name} has no column "${unknown}".`);
}
