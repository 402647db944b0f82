// The correction files of an import at this moment: the rows that a new PAC would fix.
import { type CorrectionKind, correctionKinds } from '#shared/domain/imports/outcome.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { correctionCsv, reasonOf } from '#shared/results/corrections-csv.ts';
import { csvText } from '#shared/results/outcome-csv.ts';
import type { CorrectionRow } from './answers.ts';
import { openResults, type ResultSources, readOutcomes, toColumns } from './results.ts';
import { createRowIdentifier } from './row-identifier.ts';

/** How many rows each correction file has at this moment. */
export async function countCorrections(
  sources: ResultSources,
  item: ImportItem,
): Promise<Record<CorrectionKind, number>> {
  const rows = { 'update-port': 0, 'create-port': 0 };
  for await (const { result } of readOutcomes(sources, item)) {
    if (result.correctedBy !== undefined) rows[result.correctedBy] += 1;
  }
  return rows;
}

/** The text of a correction file, in pieces. */
export async function* streamCorrectionCsv(
  sources: ResultSources,
  item: ImportItem,
  kind: CorrectionKind,
): AsyncIterable<string> {
  const outcomes = await openResults(sources, item);
  yield* csvText(correctionCsv(kind, outcomes), outcomes);
}

export interface Correction {
  /** The number or SIM of the row, as the file has it. */
  readonly subject: string;
  readonly answer: CorrectionRow;
}

/** The rows of all correction files, one file after the other. */
export async function* readCorrections(sources: ResultSources, item: ImportItem): AsyncIterable<Correction> {
  const subjectOf = createRowIdentifier(item);
  for (const kind of correctionKinds) {
    const outcomes = await openResults(sources, item);
    const { header, cellsOf } = correctionCsv(kind, outcomes);
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
