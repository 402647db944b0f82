// The columns that simporter adds to the rows of a file. They name the import and the row to which a row belongs, so
// that a corrected file replaces the rows of the first one.

import { unguardFormula } from './csv/csv-row.ts';
import type { ReadColumns } from './secret-columns.ts';

/** Behind the file's own columns, in rejected.csv and correct-create-port.csv. */
export const correctionColumns = ['importId', 'line', 'errors'] as const;

/** Columns of rejected.csv and of correct-update-port.csv that are ignored when such a file is imported. */
const ignoredColumns = [...correctionColumns, 'reason'];

/** What results.csv has behind the columns of the file. */
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

/** Columns whose texts an apostrophe may be part of. A test compares them with those of the operations. */
export const textColumns = ['message', 'reference'] as const;

/** Removes guards against formulas from the cells of a row; those of texts only in a file that simporter wrote. */
export function createUnguard({ header, columnIndexes }: ReadColumns): (cells: readonly string[]) => string[] {
  const isOurs = findCorrectionMark(header) !== undefined;
  const kept = new Set(isOurs ? [] : textColumns.map((name) => columnIndexes[name]));
  return (cells) => cells.map((cell, index) => (kept.has(index) ? cell : unguardFormula(cell)));
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

/** The line in the first file of the record in this line. */
export type RootLineOf = (line: number, cells: readonly string[]) => number;

/**
 * Only a part has rows of another file (decision 27): an import of its own has the rows of its file, also where they
 * name the import of another operation.
 * @param mark of a part
 */
export const createRootLineOf = (mark: CorrectionMark | undefined): RootLineOf =>
  mark === undefined ? (line) => line : (line, cells) => originalLine(mark, cells) ?? line;

// Names of columns in files that combine the columns of the user with ours: no two columns of a file have one name.

const prefix = 'simporter';

const folded = (name: string): string => name.trim().toLowerCase();

/** `line`, or `simporterLine` where a column of the user has that name already. */
const prefixed = (name: string): string => `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The name of each of our columns behind those of the user. */
export function addedColumns(own: readonly string[], names: readonly string[]): string[] {
  const taken = new Set(own.map(folded));
  return names.map((name) => {
    if (!taken.has(folded(name))) return name;
    let other = prefixed(name);
    for (let copy = 2; taken.has(folded(other)); copy += 1) other = `${prefixed(name)}${copy}`;
    return other;
  });
}

/**
 * The columns of the user. A name that an earlier column has is written with its number: `note`, `note (2)`. Numbers
 * are never tried twice, because a header may have one name in all its columns.
 */
export function distinctNames(own: readonly string[]): string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return own.map((name, index) => {
    const key = folded(name);
    let number = next.get(key) ?? 2;
    if (key === '') number = Math.max(number, index + 1);
    let distinct = name;
    for (; taken.has(folded(distinct)); number += 1) {
      distinct = key === '' ? `column ${number}` : `${name.trim()} (${number})`;
    }
    next.set(key, number);
    taken.add(folded(distinct));
    return distinct;
  });
}
