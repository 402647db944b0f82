// The outcomes of an import with those of its corrections, from what report has written of each: the API reads no
// uploads.
import { type Outcome, sendableAgain } from '#shared/domain/imports/outcome.ts';
import { unpackLines } from '#shared/domain/imports/packed-lines.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { laterResult, listCorrections } from '#shared/results/answered-rows.ts';
import { columnsForPeople } from '#shared/results/results-csv.ts';
import { readAgainIfReplaced } from '#shared/store/files/object-gone.ts';
import type { ImportProgress } from './answers.ts';
import { inOutcomeOrder } from './import-progress.ts';
import { openIndexedResults, type ReadRow, readRowPage } from './row-page.ts';
import type { ReadSources } from './sources.ts';

type CorrectedSources = Pick<ReadSources, 'files' | 'resources' | 'imports'>;
type Outcomes = ImportProgress['outcomes'];

/** Pages end where their bytes do: rows of a correction may be in another order than those of the first file. */
const limit = Number.MAX_SAFE_INTEGER;

/** Every row of the file once, with its latest outcome. @param own the outcomes of the import itself */
export const readCorrectedOutcomes = (sources: CorrectedSources, item: ImportItem, own: Outcomes): Promise<Outcomes> =>
  readAgainIfReplaced(async () => {
    const corrections = await listCorrections(item, sources);
    return countCorrected(sources, item, own, await readCorrectedLines(sources, corrections));
  });

/** A row of results.csv of a correction, which may have its columns in another order and under other names. */
export interface RowOfCorrection extends ReadRow {
  readonly header: readonly string[];
  /** The index of each column of the operation. */
  readonly columns: Readonly<Record<string, number>>;
}

/** The cell of the column that the first file calls `header` and the operation, if it knows it, calls `name`. */
export function correctedCell(row: RowOfCorrection, header: string, name: string | undefined): string {
  return row.cells[row.columns[name ?? ''] ?? row.header.indexOf(header)] ?? '';
}

/**
 * The latest result of each row that these corrections answer, by its line in the first file.
 * @param lines only these, ascending. @default all
 */
export const readRowsOfCorrections = (
  sources: CorrectedSources,
  corrections: readonly ImportItem[],
  lines?: readonly number[],
): Promise<ReadonlyMap<number, RowOfCorrection>> =>
  latestByLine(corrections, (correction) => readRows(sources, correction, lines));

type OutcomeOfLine = Pick<ReadRow, 'line' | 'outcome'>;

/** The latest outcome of each row that these corrections answer, by its line in the first file. */
export const readCorrectedLines = (
  sources: CorrectedSources,
  corrections: readonly ImportItem[],
): Promise<ReadonlyMap<number, OutcomeOfLine>> =>
  latestByLine(corrections, (correction) => readLines(sources, correction));

/** @param corrections oldest first */
async function latestByLine<Row extends OutcomeOfLine>(
  corrections: readonly ImportItem[],
  read: (correction: ImportItem) => AsyncIterable<Row> | Promise<readonly Row[]>,
): Promise<ReadonlyMap<number, Row>> {
  const latest = new Map<number, Row>();
  for (const correction of corrections) {
    for await (const row of await read(correction)) latest.set(row.line, laterResult(latest.get(row.line) ?? row, row));
  }
  return latest;
}

/** The same with the outcomes that corrections have for these lines. @throws ObjectGone: read it again */
export async function countCorrected(
  sources: CorrectedSources,
  item: ImportItem,
  own: Outcomes,
  corrected: ReadonlyMap<number, Pick<ReadRow, 'outcome'>>,
): Promise<Outcomes> {
  if (corrected.size === 0) return own;
  const tally = new Map(Object.entries(own) as [Outcome, number][]);
  const lines = [...corrected.keys()].sort((one, other) => one - other);
  for (const row of await readLines(sources, item, lines)) {
    const { outcome } = laterResult<Pick<ReadRow, 'outcome'>>(row, corrected.get(row.line));
    const before = tally.get(row.outcome) ?? 0;
    // The file may be older than the outcomes: then the row waits for the next one. No row is sent twice.
    if (before === 0 || !sendableAgain.has(row.outcome)) continue;
    tally.set(row.outcome, before - 1);
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  }
  return inOutcomeOrder(new Map([...tally].filter(([, rows]) => rows > 0)));
}

/** From the index: no row is read but those of earlier releases, at these lines. */
async function readLines(
  sources: CorrectedSources,
  item: ImportItem,
  lines?: readonly number[],
): Promise<readonly OutcomeOfLine[]> {
  const listed = (await openIndexedResults(sources, item.importId))?.index.lines;
  if (listed === undefined) return Array.fromAsync(readRows(sources, item, lines));
  const found = Object.entries(listed) as [Outcome, string][];
  return found.flatMap(([outcome, packed]) => unpackLines(packed).map((line) => ({ line, outcome })));
}

/** None before results.csv is written. */
async function* readRows(
  sources: CorrectedSources,
  item: ImportItem,
  lines?: readonly number[],
): AsyncGenerator<RowOfCorrection> {
  const columns = columnsForPeople(item);
  let afterRow: number | null = -1;
  while (afterRow !== null) {
    const page = await readRowPage(sources, item, { lines, afterRow, limit });
    for (const row of page?.rows ?? []) yield { ...row, header: page?.header ?? [], columns };
    afterRow = page?.nextAfterRow ?? null;
  }
}
