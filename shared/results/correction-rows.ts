// The correction files of an import at this moment: the declined rows, and the rows that a new PAC would fix.
import type { ImportItem } from '#shared/import/import.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { correctionKindsOf, correctionOf } from '#shared/outcome/row-result.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import type { OperationName } from '#shared/text/identity.ts';
import type { CorrectionRow } from './answers.ts';
import { correctionCsv, reasonOf } from './correction-files.ts';
import type { FileOutcomes, RowOutcome } from './file-rows.ts';
import { readFirst } from './parts.ts';
import { openResults, toColumns } from './results.ts';
import { csvText } from './results-csv.ts';

/** How many rows each correction file has at this moment; also those that have none. */
export type CorrectionCounts = ReadonlyMap<OperationName, number>;

/** In the order of `correctionKindsOf`: of create-port, the file that amends its ports comes first. */
export async function countCorrections(reader: ResultsReader, item: ImportItem): Promise<CorrectionCounts> {
  const { operation, batches } = await openResults(reader, item);
  const counts = new Map(correctionKindsOf(operation).map((kind) => [kind, 0]));
  for await (const rows of batches) {
    for (const { result } of rows) {
      const kind = correctionOf(result, operation);
      if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return counts;
}

/** The text of a correction file, in pieces. It contains PACs of declined rows. */
export async function* streamCorrectionCsv(
  reader: ResultsReader,
  item: ImportItem,
  kind: OperationName,
): AsyncIterable<string> {
  const outcomes = await openResults(reader, item);
  yield* csvText(correctionCsv(kind, outcomes, 'kept'), outcomes);
}

export interface Correction {
  /** The number or SIM of the row, as the file has it. */
  readonly subject: string;
  readonly answer: CorrectionRow;
}

/** The rows of all correction files, one file after the other, without PACs. */
export async function* readCorrections(reader: ResultsReader, item: ImportItem): AsyncIterable<Correction> {
  const root = await readFirst(reader.imports, item);
  for (const kind of correctionKindsOf(root.operation)) {
    const outcomes = await openResults(reader, root);
    const { header, cellsOf } = correctionCsv(kind, outcomes);
    const subjectOf = createRowIdentifier(outcomes);
    for await (const rows of outcomes.batches) {
      for (const row of rows) {
        const cells = cellsOf(row);
        if (cells === undefined) continue;
        const columns = toColumns(header, cells);
        yield { subject: subjectOf(row), answer: { operation: kind, line: row.line, reason: reasonOf(row), columns } };
      }
    }
  }
}

// Loaded with the operations, which the other read models do not need.

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
