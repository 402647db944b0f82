// The rows of a first import as every surface shows them: each with the latest result of its corrections, and with the
// cells that were sent (docs/decisions/0040).
import { distinctNames } from '#shared/csv/added-columns.ts';
import { ownColumns } from '#shared/files/correction-columns.ts';
import type { ReadColumns } from '#shared/files/secret-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { Outcome } from '#shared/outcome/row-result.ts';
import {
  type CorrectedRow,
  type KeepCells,
  type OutcomesOfImport,
  openImportOutcomes,
  readCorrectedRows,
  shownResult,
} from './corrected-rows.ts';
import { type FileOutcomes, type RowOutcome, readFileHead } from './file-rows.ts';

/** About 150,000 corrected rows: report has 512 MB. Further rows show the cells of the first file. */
const mostCharacters = 32 * 1024 * 1024;

/** @throws ObjectGone when the file of the import or of a correction has expired */
export async function openMergedOutcomes(
  root: ImportItem,
  corrections: readonly ImportItem[],
  sources: OutcomesOfImport,
): Promise<FileOutcomes> {
  if (corrections.length === 0) return openImportOutcomes(root, sources);
  const head = await readFileHead(root, sources.files);
  const hidden = new Map<Outcome, number>();
  const count = (outcome: Outcome, rows: number): void => {
    hidden.set(outcome, (hidden.get(outcome) ?? 0) + rows);
  };
  // Line 0 is a file whose rows could not be read.
  const seen = ({ line, result }: RowOutcome) => count(result.outcome, line === 0 ? 0 : 1);
  const corrected = await readCorrectedRows(corrections, sources, keepCellsFor(head), seen);
  // Opened again: S3 ends a connection whose bytes wait until large corrections are read.
  const outcomes = await openImportOutcomes(root, sources);
  return { ...outcomes, hidden, batches: mergeBatches(outcomes.batches, corrected, count) };
}

async function* mergeBatches(
  batches: FileOutcomes['batches'],
  corrected: ReadonlyMap<number, CorrectedRow>,
  count: (outcome: Outcome, rows: number) => void,
): FileOutcomes['batches'] {
  for await (const batch of batches) {
    yield batch.map((row) => {
      const shown = mergeRow(row, corrected.get(row.line));
      count(row.result.outcome, 1);
      count(shown.result.outcome, -1);
      return shown;
    });
  }
}

export function mergeRow(row: RowOutcome, correction: CorrectedRow | undefined): RowOutcome {
  const result = shownResult(row.result, correction?.result);
  if (correction === undefined || result === row.result) return row;
  const cells: readonly string[] = correction.cells === undefined ? row.cells : JSON.parse(correction.cells);
  return { ...row, cells, result, ownOutcome: row.result.outcome };
}

/** A correction may have its columns in another order and under other names. */
export function keepCellsFor(root: ReadColumns): KeepCells {
  const names = new Map(Object.entries(root.columnIndexes).map(([name, index]) => [index, name]));
  const headers = headersOf(root);
  let characters = 0;
  return (file) => {
    const indexes = new Map([...headersOf(file)].map(([index, text]) => [text, index]));
    const indexOf = (index: number): number => {
      const known = file.columnIndexes[names.get(index) ?? ''];
      const found = known ?? indexes.get(headers.get(index) ?? '') ?? -1;
      // Only the column of PACs is masked.
      return known === undefined && found === file.columnIndexes.pac ? -1 : found;
    };
    const places = root.header.map((_, index) => indexOf(index));
    return ({ cells }) => {
      if (characters > mostCharacters) return undefined;
      const text = JSON.stringify(places.map((place) => cells[place] ?? ''));
      characters += text.length;
      return text;
    };
  };
}

/** The names of the file's own columns in files for people, by index. */
function headersOf({ header }: ReadColumns): ReadonlyMap<number, string> {
  const own = ownColumns(header);
  const names = distinctNames(own.map((index) => header[index] ?? ''));
  return new Map(own.map((index, place) => [index, names[place] ?? '']));
}
