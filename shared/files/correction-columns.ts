// The columns that simporter adds to the rows of a file. They name the import and the row to which a row belongs, so
// that a corrected file replaces the rows of the first one.
import { addedColumns, prefixed } from '#shared/csv/added-columns.ts';

/** Behind the file's own columns, in rejected.csv and correct-create-port.csv. */
export const correctionColumns = ['importId', 'line', 'errors'] as const;

/** Columns of rejected.csv and of correct-update-port.csv that are ignored when such a file is imported. */
const ignoredColumns = [...correctionColumns, 'reason'];

/** Of results.csv, behind the columns of the file. */
export const outcomeColumns = [
  ...(['importId', 'line', 'outcome', 'portId', 'status', 'message', 'whatToDo'] as const),
  ...(['bookedDate', 'submittedAt', 'completedAt'] as const),
] as const;

/** Those that are ignored. Only results.csv has an outcome: the rows of `send-sms` have a column `message`, too. */
const resultColumns = outcomeColumns.filter((name) => name !== 'portId');

/** Their names in a file with these other columns. */
export const correctionColumnsBeside = (own: readonly string[]): string[] => addedColumns(own, correctionColumns);

/** Where a record names its import and its row. */
export interface CorrectionMark {
  readonly importIndex: number;
  readonly lineIndex: number;
}

/** Where the added column is: where the user has a column with its name, ours has a prefix. */
function indexOfAdded(names: readonly string[], name: string): number {
  const index = names.lastIndexOf(prefixed(name));
  return index >= 0 ? index : names.lastIndexOf(name);
}

const trimmed = (header: readonly string[]): string[] => header.map((name) => name.trim());

/** undefined: simporter did not write this file. */
export function findCorrectionMark(header: readonly string[]): CorrectionMark | undefined {
  const names = trimmed(header);
  const [importIndex, lineIndex] = [indexOfAdded(names, 'importId'), indexOfAdded(names, 'line')];
  return importIndex < 0 || lineIndex < 0 ? undefined : { importIndex, lineIndex };
}

/** The indexes of the cells that are the file's own. */
export function ownColumns(header: readonly string[]): number[] {
  const names = trimmed(header);
  const isCorrection = findCorrectionMark(header) !== undefined;
  const isResults = indexOfAdded(names, 'outcome') >= 0;
  const ignored = isResults ? [...ignoredColumns, ...resultColumns] : ignoredColumns;
  const added = new Set(isCorrection ? ignored.map((name) => indexOfAdded(names, name)) : []);
  return header.flatMap((_, index) => (added.has(index) ? [] : [index]));
}

/** The row of the first file to which a record belongs: its line there. undefined: the record names none. */
export function originalLine(mark: CorrectionMark, cells: readonly string[]): number | undefined {
  const text = (cells[mark.lineIndex] ?? '').trim();
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
