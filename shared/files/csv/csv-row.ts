// Writes CSV for people: RFC 4180, CRLF, and no cell that a spreadsheet would run as a formula (spec gap 45).
import type { Delimiter } from './record-batch.ts';

/** Without it Excel reads UTF-8 as the encoding of the country: a file for people begins with it. */
export const byteOrderMark = '\uFEFF';

const formulaStart = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const guarded = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/**
 * Where a reader with another separator than that of the file begins a new cell. It does not recognise our quotation
 * marks there: for it, `a,"b;=1+1"` has the cells `a,"b` and `=1+1"`.
 */
const anySeparator = /([,;|\t\r\n] *)/;
/** A part behind a separator that may begin like a formula, guarded or not. */
const laterFormula = /[,;|\t\r\n] *'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** `+447700900123`, `-12.5`: a number is not a formula, and an apostrophe would corrupt it. */
const numeric = /^[+-]?\d[\d ]*(?:[.,]\d+)?$/;
const needsQuotes = /[",;|\t\r\n]|^ | $/;
/** Nearly every cell: neither a formula nor in need of quotes. */
const ordinary = /^[A-Za-z0-9](?:[^",;|\t\r\n]*[^",;|\t\r\n ])?$/;
const apostrophe = 0x27;
const space = 0x20;
const equals = 0x3d;
const tilde = 0x7e;

/** The header of a file for people. */
export const csvHeader = (cells: readonly string[], delimiter: Delimiter): string =>
  byteOrderMark + csvRow(cells, delimiter);

/** One record with its line end. `unguardFormula` of a cell that is read back returns the cell that was written. */
export function csvRow(cells: readonly string[], delimiter: Delimiter = ','): string {
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  let row = '';
  for (let index = 0; index < cells.length; index++) {
    if (index > 0) row += delimiter;
    row += cellText(cells[index] ?? '');
  }
  return `${row}\r\n`;
}

/**
 * Puts an apostrophe before everything that a spreadsheet would take for a formula: the cell, and its parts after each
 * separator that the reader may use. Numbers stay as they are.
 */
export function guardFormula(cell: string): string {
  const isGuarded = formulaStart.test(cell) && !numeric.test(cell);
  return `${isGuarded ? "'" : ''}${changeLaterParts(cell, guardPart)}`;
}

/** Removes the apostrophes that guard a formula. */
export const unguardFormula = (cell: string): string =>
  cell.includes("'") ? changeLaterParts(unguardPart(cell), unguardPart) : cell;

/** `="0770"`, as programs write a text of which a spreadsheet is to keep the zeros. */
const textFormula = /^="([^"]*)"$/;

/** What a person wrote into a cell: without spaces around it, a guard against formulas, and a formula around a text. */
export const writtenText = (raw: string): string =>
  isWrittenAsMeant(raw) ? raw : withoutTextFormula(unguardFormula(raw.trim()));

/** The same of a text of which an apostrophe may be a part. */
export const writtenMessage = (raw: string): string => (isWrittenAsMeant(raw) ? raw : withoutTextFormula(raw.trim()));

function withoutTextFormula(text: string): string {
  return text.startsWith('=') ? (textFormula.exec(text)?.[1]?.trim() ?? text) : text;
}

/** Nearly every cell is visible ASCII without an apostrophe or a formula, and has spaces only inside. */
function isWrittenAsMeant(raw: string): boolean {
  for (let at = 0; at < raw.length; at += 1) {
    const code = raw.charCodeAt(at);
    if (code < space || code > tilde || code === apostrophe) return false;
  }
  const first = raw.charCodeAt(0);
  return first !== equals && first !== space && raw.charCodeAt(raw.length - 1) !== space;
}

/** Splitting keeps the separators: they have the odd indexes. */
function changeLaterParts(cell: string, change: (part: string) => string): string {
  // Most texts have no such part, and splitting them is slow.
  if (!laterFormula.test(cell)) return cell;
  return cell
    .split(anySeparator)
    .map((part, index) => (index > 0 && index % 2 === 0 ? change(part) : part))
    .join('');
}

const guardPart = (part: string): string => (formulaStart.test(part) && !numeric.test(part) ? `'${part}` : part);

const unguardPart = (part: string): string =>
  part.charCodeAt(0) === apostrophe && guarded.test(part) ? part.slice(1) : part;

function cellText(cell: string): string {
  if (cell === '' || ordinary.test(cell)) return cell;
  const safe = guardFormula(cell);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// The letters of a column in a spreadsheet program: A to Z, AA to AZ, and so on.

/** @param index from 0 */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

/** From 1. */
export const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
