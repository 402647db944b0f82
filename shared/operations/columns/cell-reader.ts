// Reads the cells of the repeating columns and collects every finding about them.

import { checkLine } from '#shared/domain/text/cell-text.ts';
import { counted } from '#shared/domain/text/counted.ts';
import type { Parsed } from '#shared/domain/text/parsed.ts';
import type { Cells, CombinationFinding } from '#shared/operations/operation.ts';
import { didYouMean } from '#shared/row/did-you-mean.ts';
import { error, type Finding, type IssueCode } from '#shared/row/issue.ts';

/** Of a list in a cell, empty ones too. Each may have several findings, and each finding is written for each row. */
const mostEntries = 200;

export const yesWords = ['y', 'yes', 'true', '1', 'x', '\u2713', '\u2714', '\u2611', 'j', 'ja', 'wahr', 'oui', 'vrai'];
export const noWords = ['n', 'no', 'false', '0', '\u2717', '\u2718', '\u2610', 'nein', 'falsch', 'non', 'faux'];

/** Every method returns undefined for a cell that is absent or invalid; an invalid one has been reported. */
export class CellReader {
  readonly findings: CombinationFinding[] = [];
  readonly #cells: Cells;

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  /** Whether a finding rejects the row. */
  get hasErrors(): boolean {
    return this.findings.some(({ severity }) => severity === 'error');
  }

  hasErrorAt(column: string | null): boolean {
    return this.findings.some((finding) => finding.column === column && finding.severity === 'error');
  }

  /** Reads the same cells for another check. */
  withoutFindings(): CellReader {
    return new CellReader(this.#cells);
  }

  /** `column` is null for a finding about the row as a whole. */
  report(column: string | null, finding: Finding): undefined {
    this.findings.push({ column, ...finding });
  }

  error(column: string | null, code: IssueCode, message: string): undefined {
    return this.report(column, error(code, message));
  }

  /** '' when the column or the cell is absent. */
  text(column: string): string {
    return this.#cells(column);
  }

  /** The text of a cell that must not be empty. */
  required(column: string): string | undefined {
    return this.text(column) || this.error(column, 'CELL_REQUIRED', `${column} must not be empty`);
  }

  /** The parts of a list such as `101;102`, trimmed, without empty parts. A list that is too long has none. */
  list(column: string): string[] {
    const parts = this.text(column).split(';', mostEntries + 1);
    const entries = parts.map((part) => part.trim()).filter((part) => part !== '');
    if (parts.length <= mostEntries) return entries;
    this.error(column, 'CELL_TOO_LONG', `${column} has more than ${mostEntries} entries. Use at most ${mostEntries}`);
    return [];
  }

  /** @param also words of this column, in lower case */
  boolean(column: string, also: Readonly<Record<string, boolean>> = {}): boolean | undefined {
    const text = this.text(column);
    const word = text.toLowerCase();
    if (text === '') return undefined;
    if (Object.hasOwn(also, word)) return also[word];
    if (yesWords.includes(word)) return true;
    if (noWords.includes(word)) return false;
    return this.error(column, 'CELL_NOT_A_BOOLEAN', `${column} is "${text}". Use true, false, yes or no`);
  }

  /** A whole number from 0 to 255. */
  byte(column: string): number | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    if (!/^\d{1,9}$/.test(text)) {
      return this.error(column, 'CELL_NOT_A_NUMBER', `${column} is "${text}". Use a whole number`);
    }
    const value = Number(text);
    if (value <= 255) return value;
    return this.error(column, 'CELL_OUT_OF_RANGE', `${column} is ${value}. Use a number from 0 to 255`);
  }

  /** One of the words, in any case, for a cell that must not be empty. Returns the word as the service writes it. */
  oneOf<Word extends string>(column: string, words: readonly Word[]): Word | undefined {
    const text = this.required(column);
    if (text === undefined) return undefined;
    const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    const message = `${column} is "${text}". Use one of ${words.join(', ')}${didYouMean(text, words)}`;
    return this.error(column, 'CELL_NOT_ONE_OF', message);
  }

  /** Whole bytes in hex: `0500030A0201`. */
  hex(column: string): string | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    if (/^([0-9A-Fa-f]{2})+$/.test(text)) return text;
    const problem = /^[0-9A-Fa-f]+$/.test(text)
      ? `has ${counted(text.length, 'hex digit')}. Use an even number: two digits make one byte`
      : 'is not hex. Use only the digits 0 to 9 and the letters A to F';
    return this.error(column, 'CELL_NOT_HEX', `${column} ${problem}`);
  }

  /** Text that is sent as it is: at most `longest` characters, all of them visible. */
  freeText(column: string, longest: number, text = this.text(column)): string | undefined {
    const { length } = [...text];
    const hidden = checkLine(text);
    if (length > longest) {
      this.error(column, 'CELL_TOO_LONG', `${column} has ${length} characters. Use at most ${longest}`);
    }
    if (hidden !== undefined) this.report(column, hidden);
    return length > longest || hidden !== undefined ? undefined : text;
  }

  /** The parsed value of a cell; the finding is reported, whatever its severity. */
  accept<Value>(column: string, parsed: Parsed<Value>): Value | undefined {
    if (parsed.finding !== undefined) this.report(column, parsed.finding);
    return parsed.ok ? parsed.value : undefined;
  }
}
