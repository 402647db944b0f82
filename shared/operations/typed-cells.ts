// Cells that hold something other than text. An empty cell is absent; nothing is guessed.
import { didYouMean } from '#shared/domain/did-you-mean.ts';
import { error } from '#shared/domain/issue.ts';
import type { Cells } from './operation.ts';
import { requiredCell, type ShapeReport } from './shape-report.ts';

/** undefined: the cell is absent, or it was reported. */
export function booleanCell(cells: Cells, column: string, report: ShapeReport): boolean | undefined {
  const text = cells(column);
  const word = text.toLowerCase();
  if (word === '') return undefined;
  if (word === 'true' || word === 'yes') return true;
  if (word === 'false' || word === 'no') return false;
  report.add(column, error('CELL_NOT_A_BOOLEAN', `${column} is "${text}"; write true, false, yes or no`));
  return undefined;
}

/** A whole number from `least` to `most`. undefined: the cell is absent, or it was reported. */
export function integerCell(
  cells: Cells,
  column: string,
  [least, most]: readonly [number, number],
  report: ShapeReport,
): number | undefined {
  const text = cells(column);
  if (text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    report.add(column, error('CELL_NOT_A_NUMBER', `${column} is "${text}"; write a whole number`));
    return undefined;
  }
  const value = Number(text);
  if (value >= least && value <= most) return value;
  report.add(column, error('CELL_OUT_OF_RANGE', `${column} is ${value}; it goes from ${least} to ${most}`));
  return undefined;
}

/** One of the words, however its case; the cell must not be empty. Answers the word as the service writes it. */
export function wordCell<Word extends string>(
  cells: Cells,
  column: string,
  words: readonly Word[],
  report: ShapeReport,
): Word | undefined {
  const text = requiredCell(cells, column, report);
  if (text === undefined) return undefined;
  const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
  if (found === undefined) {
    const message = `${column} is "${text}"; it is one of ${words.join(', ')}${didYouMean(text, words)}`;
    report.add(column, error('CELL_NOT_ONE_OF', message));
  }
  return found;
}

/** Whole octets in hex: `0500030A0201`. undefined: the cell is absent, or it was reported. */
export function hexCell(cells: Cells, column: string, report: ShapeReport): string | undefined {
  const text = cells(column);
  if (text === '') return undefined;
  if (/^([0-9A-Fa-f]{2})+$/.test(text)) return text;
  const odd = /^[0-9A-Fa-f]+$/.test(text);
  const fault = odd ? `has ${text.length} hex digits, and two make an octet` : 'is not hex: digits and A to F only';
  report.add(column, error('CELL_NOT_HEX', `${column} ${fault}`));
  return undefined;
}
