// What the corrections of an import did with its rows: each correction names the rows of the first file.
import { distinctNames, ownColumns } from '#shared/files/added-columns.ts';
import type { ReadColumns } from '#shared/files/secret-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { mayBeSent } from '#shared/import/import-state.ts';
import { type Outcome, sendableAgain } from '#shared/outcome/outcome.ts';
import type { RowResult } from '#shared/outcome/row-result.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import type { ImportReader } from '#shared/store/imports.ts';
import { type FileOutcomes, openOutcomes, type RowOutcome, readFileHead } from './file-rows.ts';

/** The imports that are searched for corrections; older corrections no longer count. */
const mostImports = 10_000;

/**
 * The corrections of an import that were sent, oldest first.
 * @param except the import that is being planned
 */
export async function listCorrections(
  { importId, account, operation, receivedAt, hasCorrections }: ImportItem,
  imports: ImportReader,
  except?: string,
): Promise<ImportItem[]> {
  if (!hasCorrections) return [];
  const later = await imports.list(account, { since: receivedAt, limit: mostImports });
  return later
    .filter((item) => item.rootImportId === importId && item.operation === operation && item.importId !== except)
    .filter(mayBeSent)
    .reverse();
}

/**
 * The corrections that change the rows of this import, oldest first. One that is still being read changes none: two of
 * them would both leave a row to the other. Each is read consistently: the index that lists imports may be older than
 * the change that report was notified of.
 */
export async function readCorrections(
  root: ImportItem,
  imports: ImportReader,
  except?: string,
): Promise<readonly ImportItem[]> {
  const listed = await listCorrections(root, imports, except);
  const items = await Promise.all(listed.map(({ importId }) => imports.get(importId)));
  return items.filter((item) => item !== undefined).filter(({ state }) => state !== 'planning');
}

export interface CorrectedRow {
  readonly importId: string;
  readonly result: RowResult;
  /** As `KeepCells` returned them. */
  readonly cells: string | undefined;
}

/** What is kept of the cells of a correction: they may be too many for the memory. */
export type KeepCells = (file: FileOutcomes) => (row: RowOutcome) => string | undefined;

const notSent: ReadonlySet<Outcome> = new Set(['rejected', 'duplicate', 'skipped', 'not-sent']);
/** A row with another outcome was sent, or repeats a row that was. */
const unanswered: ReadonlySet<Outcome> = new Set(['rejected', 'skipped', 'not-sent']);

/**
 * The latest result of each row of the first file that a correction answers, by its line there.
 * @param corrections oldest first
 * @param seen called with every row of the corrections
 */
export async function readCorrectedRows(
  corrections: readonly ImportItem[],
  reader: ResultsReader,
  keepCells: KeepCells = () => () => undefined,
  seen: (row: RowOutcome) => void = () => undefined,
): Promise<ReadonlyMap<number, CorrectedRow>> {
  const rows = new Map<number, CorrectedRow>();
  for (const item of corrections) {
    const file = await openOutcomes(item, reader);
    const cellsOf = keepCells(file);
    const correctedRow = createCorrectedRows(item);
    for await (const batch of file.batches) {
      for (const row of batch) {
        seen(row);
        const earlier = rows.get(row.rootLine)?.result;
        if (earlier !== undefined && laterResult(earlier, row.result) !== row.result) continue;
        rows.set(row.rootLine, correctedRow(row.result, cellsOf(row)));
      }
    }
  }
  return rows;
}

/** Thousands of rows share a result, and one object where no cells are kept. */
function createCorrectedRows({ importId }: ImportItem): (result: RowResult, cells: string | undefined) => CorrectedRow {
  const known = new Map<RowResult, CorrectedRow>();
  return (result, cells) => {
    if (cells !== undefined) return { importId, result, cells };
    const row = known.get(result) ?? { importId, result, cells };
    known.set(result, row);
    return row;
  };
}

interface WithOutcome {
  readonly outcome: Outcome;
}

/**
 * What a row shows after a correction. A row that was not sent hides no answer. A row that was declined or cancelled
 * hides no success and nothing in progress: two corrections of a row may have been imported at the same time.
 */
export function laterResult<Row extends WithOutcome>(earlier: Row, later: Row | undefined): Row {
  if (later === undefined) return earlier;
  const hidden = notSent.has(later.outcome) ? unanswered : sendableAgain;
  return sendableAgain.has(later.outcome) && !hidden.has(earlier.outcome) ? earlier : later;
}

export const wasSent = ({ outcome }: WithOutcome): boolean => !notSent.has(outcome);

/** The row was not sent, because its cells or its number are wrong. */
const isInvalid = ({ outcome }: WithOutcome): boolean => outcome === 'rejected' || outcome === 'duplicate';

/** What the first import shows of a row. One that is still invalid keeps the cells and the errors of the first file. */
export const shownResult = <Row extends WithOutcome>(own: Row, correction: Row | undefined): Row =>
  correction !== undefined && isInvalid(own) && isInvalid(correction) ? own : laterResult(own, correction);

/**
 * The import that answers each row with such an outcome, by the line of the row in the first file.
 * @param except the import that is being planned
 */
export async function answeredRows(
  root: ImportItem,
  reader: ResultsReader,
  isAnswer: (outcome: Outcome) => boolean,
  except: string,
): Promise<ReadonlyMap<number, string>> {
  const answered = new Map<number, string>();
  const { batches } = await openOutcomes(root, reader);
  for await (const batch of batches) {
    for (const { line, result } of batch) if (isAnswer(result.outcome)) answered.set(line, root.importId);
  }
  const corrections = await readCorrections(root, reader.imports, except);
  for (const [line, { importId, result }] of await readCorrectedRows(corrections, reader)) {
    if (isAnswer(result.outcome)) answered.set(line, importId);
  }
  return answered;
}

// The rows of a first import as every surface shows them: each with the latest result of its corrections, and with the
// cells that were sent (docs/decisions/0040).

/** About 150,000 corrected rows: report has 512 MB. Further rows show the cells of the first file. */
const mostCharacters = 32 * 1024 * 1024;

/** @throws ObjectGone when the file of the import or of a correction has expired */
export async function openMergedOutcomes(
  root: ImportItem,
  corrections: readonly ImportItem[],
  reader: ResultsReader,
): Promise<FileOutcomes> {
  if (corrections.length === 0) return openOutcomes(root, reader);
  const head = await readFileHead(root, reader.files);
  const hidden = new Map<Outcome, number>();
  const count = (outcome: Outcome, rows: number): void => {
    hidden.set(outcome, (hidden.get(outcome) ?? 0) + rows);
  };
  // Line 0 is a file whose rows could not be read.
  const seen = ({ line, result }: RowOutcome) => count(result.outcome, line === 0 ? 0 : 1);
  const corrected = await readCorrectedRows(corrections, reader, keepCellsFor(head), seen);
  // Opened again: S3 ends a connection whose bytes wait until large corrections are read.
  const outcomes = await openOutcomes(root, reader);
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
