// Reads the cells of the repeating columns and collects every finding about them.
import { isPlaceholder } from '#shared/files/column-values.ts';
import { unguardFormula, writtenMessage, writtenText } from '#shared/files/csv/csv-row.ts';
import type { Cells, Column, CombinationFinding, ImportContext } from '#shared/operations/operation.ts';
import { dateInZone, isDayForm } from '#shared/row/calendar-date.ts';
import { findDamage, findLostZeros, type Parsed } from '#shared/row/cell.ts';
import { type DateOrder, dateOfDayNumber, normalizeDate, normalizeDateTime } from '#shared/row/date-order.ts';
import { checkLine, didYouMean, nameKey } from '#shared/row/did-you-mean.ts';
import { error, type Finding, type IssueCode, notice } from '#shared/row/issue.ts';
import { counted } from '#shared/text/wording.ts';

/** Entries of a list in a cell, with empty ones. Each may have several findings, which are written for each row. */
const mostEntries = 200;
/** Unknown entries of one cell that get a suggestion. */
const mostSuggestions = 10;

export const yesWords = ['y', 'yes', 'true', '1', 'x', '\u2713', '\u2714', '\u2611', 'j', 'ja', 'wahr', 'oui', 'vrai'];
export const noWords = ['n', 'no', 'false', '0', '\u2717', '\u2718', '\u2610', 'nein', 'falsch', 'non', 'faux'];

const marks = new RegExp(`^(?:${[...yesWords, ...noWords].join('|')})$`, 'i');
/** How a column of yes and no is declared. */
export const yesNo = { isYesNo: true, looksLike: marks } as const;

/** Every method returns undefined for a cell that is absent or invalid; an invalid one has been reported. */
export class CellReader {
  readonly findings: CombinationFinding[] = [];
  readonly #cells: Cells;
  readonly #meanings: ImportContext['meanings'];

  constructor(cells: Cells, meanings?: ImportContext['meanings']) {
    this.#cells = cells;
    this.#meanings = meanings;
  }

  /** Whether a finding rejects the row. */
  get hasErrors(): boolean {
    return this.findings.some(({ severity }) => severity === 'error');
  }

  hasErrorAt(column: string | null): boolean {
    return this.findings.some((finding) => finding.column === column && finding.severity === 'error');
  }

  /** A list has many entries, and a suggestion compares an entry with every name: the first ones get one. */
  mayNeedSuggestion(column: string, code: IssueCode): boolean {
    const alike = this.findings.filter((finding) => finding.column === column && finding.code === code);
    return alike.length < mostSuggestions;
  }

  /** Reads the same cells for another check. */
  withoutFindings(): CellReader {
    return new CellReader(this.#cells, this.#meanings);
  }

  /** What a person said that a text in this column means (decision 73). */
  meaningOf(column: string, text: string): string | undefined {
    return this.#meanings?.get(column)?.get(nameKey(text));
  }

  /**
   * The text that names an item: the one of the cell where it names one, so that the service's own names come first;
   * otherwise what a person said that it means. A text that names nothing stays as it is.
   */
  asNamed(column: string, text: string, names: (text: string) => boolean): string {
    const meaning = this.meaningOf(column, text);
    if (meaning === undefined || names(text) || !names(meaning)) return text;
    this.report(column, notice('CELL_READ_AS', `${column} is "${text}", which a person said means ${meaning}`));
    return meaning;
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
    if (/^([0-9A-Fa-f]{2})+$/.test(text)) return this.#judge(column, text, findLostZeros(text));
    const problem = /^[0-9A-Fa-f]+$/.test(text)
      ? `has ${counted(text.length, 'hex digit')}. Use an even number: two digits make one byte`
      : 'is not hex. Use only the digits 0 to 9 and the letters A to F';
    return this.error(column, 'CELL_NOT_HEX', `${column} ${problem}`);
  }

  /** Text that is sent as it is: at most `longest` characters, all of them visible. */
  freeText(column: string, longest: number, text = this.text(column)): string | undefined {
    const { length } = [...text];
    if (length > longest) {
      return this.error(column, 'CELL_TOO_LONG', tooLong(column, length, longest));
    }
    const hidden = checkLine(text);
    return hidden === undefined ? this.undamaged(column, text) : this.report(column, hidden);
  }

  /** A text, or each part of a list, without a number that a spreadsheet program damaged. */
  undamaged(column: string, text: string): string | undefined {
    const found = text.split(',').map((part) => findDamage(part.trim()));
    const [worst] = found.filter((finding) => finding !== undefined).sort(errorsFirst);
    return this.#judge(column, text, worst);
  }

  #judge(column: string, text: string, finding: Finding | undefined): string | undefined {
    if (finding !== undefined) this.report(column, finding);
    return finding?.severity === 'error' ? undefined : text;
  }

  /** The parsed value of a cell; the finding is reported, whatever its severity. */
  accept<Value>(column: string, parsed: Parsed<Value>): Value | undefined {
    if (parsed.finding !== undefined) this.report(column, parsed.finding);
    return parsed.ok ? parsed.value : undefined;
  }
}

const errorsFirst = (one: Finding, other: Finding): number => (one.severity < other.severity ? -1 : 1);

// Repairs of cells that have only one meaning: texts for "nothing", and dates in other notations.

/** Each notation of a date has one; "auto" has none. */
const hasDigit = /\d/;
/** A point in time; midnight is a day in any zone. */
const isoInstant = /^\d{4}-\d\d-\d\dT(?!00:00(?::00(?:\.0+)?)?Z)\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;
const localTime = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
/** What a spreadsheet shows where a formula failed: what it should be is not known, so it is no empty cell. */
const failedFormula = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|NV|WERT!|BEZUG!)$/i;

/** No value of a column is longer, and no list of one: a longer cell is not read any further. */
const longestCell = 10_000;

const tooLong = (column: string, characters: number, longest: number): string =>
  `${column} has ${characters} characters. Use at most ${longest}`;

export interface RepairedCell {
  readonly text: string;
  readonly finding?: Finding;
}

/** How the cells of a file are read, as far as its header and its rows decide it. */
export interface CellReading {
  /** The order of day, month and year in the column. */
  readonly order?: DateOrder | undefined;
  /** A workbook counts the days of its dates from 1904 on. */
  readonly startsIn1904?: boolean | undefined;
  /** The time zone of the account, which decides the day of a point in time. */
  readonly zone?: string | undefined;
}

/** The one reader of a cell that a person typed, for all who need its value and report nothing about it. */
export function readCell(raw: string, column: RepairableColumn, reading: CellReading = {}): string {
  const text = trimmedText(raw, column, 'others');
  return repairCell(text, column, reading)?.text ?? text;
}

/** Who wrote a file: simporter writes guards against formulas, also into texts. */
export type Writer = 'simporter' | 'others';

export function trimmedText(raw: string, { isVerbatim, isText }: RepairableColumn, writer: Writer): string {
  const mayHaveGuard = writer === 'simporter' || isText !== true;
  if (!isVerbatim) return mayHaveGuard ? writtenText(raw) : writtenMessage(raw);
  return mayHaveGuard ? unguardFormula(raw.trim()) : raw.trim();
}

/** What decides how the cells of a column are repaired. */
export type RepairableColumn = Pick<Column, 'name' | 'isDate' | 'hasTime' | 'isVerbatim' | 'isText'>;

/** undefined: the text stays as it is. */
export function repairCell(text: string, column: RepairableColumn, reading: CellReading): RepairedCell | undefined {
  const { name, isVerbatim } = column;
  if (text === '' || isVerbatim) return undefined;
  if (text.length > longestCell) {
    return { text: '', finding: error('CELL_TOO_LONG', tooLong(name, text.length, longestCell)) };
  }
  if (text.startsWith('#') && failedFormula.test(text)) {
    const message = `${name} is "${text}": a formula failed. Enter the value, or empty the cell`;
    return { text: '', finding: error('CELL_NOT_ALLOWED', message) };
  }
  if (isPlaceholder(text)) {
    return { text: '', finding: notice('CELL_PLACEHOLDER', `${name} is "${text}", which was read as empty`) };
  }
  return column.isDate && !isDayForm(text) && hasDigit.test(text) ? repairDate(text, column, reading) : undefined;
}

function repairDate(text: string, { name, hasTime }: RepairableColumn, reading: CellReading): RepairedCell | undefined {
  const { order, startsIn1904 = false, zone } = reading;
  const day = (hasTime ? normalizeDateTime(text, order) : undefined) ?? normalizeDate(text, order);
  if (day !== undefined) return { text: day };
  if (!hasTime) {
    const local = localTime.exec(text)?.[1];
    if (local !== undefined) return { text: local };
    if (zone !== undefined && isoInstant.test(text) && Number.isFinite(Date.parse(text))) {
      const inZone = dateInZone(Date.parse(text), zone);
      const message = `${name} is ${text}, which was read as ${inZone}, the day in ${zone}`;
      return { text: inZone, finding: notice('DATE_SERIAL_CONVERTED', message) };
    }
  }
  const counted = dateOfDayNumber(text, startsIn1904 ? 1904 : 1900);
  if (counted === undefined) return undefined;
  const message = `${name} is the day number ${text} of a spreadsheet, which was read as ${counted}`;
  return { text: counted, finding: notice('DATE_SERIAL_CONVERTED', message) };
}
