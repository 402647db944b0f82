// Reads the cells of the repeating columns and collects every finding about them.
import { isPlaceholder } from '#shared/files/column-values.ts';
import { unguardFormula, writtenText } from '#shared/files/csv/csv-row.ts';
import type { Cells, Column, CombinationFinding } from '#shared/operations/operation.ts';
import { dateInZone } from '#shared/row/calendar-date.ts';
import type { Parsed } from '#shared/row/cell.ts';
import { type DateOrder, dateOfDayNumber, normalizeDate, normalizeDateTime } from '#shared/row/date-order.ts';
import { checkLine, closest, didYouMean } from '#shared/row/did-you-mean.ts';
import { error, type Finding, type IssueCode, notice } from '#shared/row/issue.ts';
import { counted } from '#shared/text/wording.ts';

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

// How a cell names an item of the catalogue: by its number or its name. A near miss is suggested, not taken.

/** An item that a cell can name. */
export interface Option {
  readonly number: number;
  readonly name: string;
}

/** What the items are, for the message about a text that names none of them. */
export interface OptionKind {
  readonly column: string;
  readonly code: IssueCode;
  /** `tariff` */
  readonly what: string;
  /** Where the items belong: `on UK Mobile A` */
  readonly among: string;
}

const mostListed = 8;

/**
 * What two texts have in common that name the same: case, kinds and numbers of spaces, and the form in which Unicode
 * writes an accent do not matter.
 */
export const nameKey = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The one with exactly this name, otherwise the only one that it names in another case or with other spaces. */
export function findNamed<Item>(
  text: string,
  items: readonly Item[],
  namesOf: (item: Item) => readonly (string | null | undefined)[],
): Item | undefined {
  const exact = items.find((item) => namesOf(item).includes(text));
  if (exact !== undefined) return exact;
  const key = nameKey(text);
  const [found, ...others] = items.filter((item) => namesOf(item).some((name) => name && nameKey(name) === key));
  return others.length === 0 ? found : undefined;
}

/** The option with this number, otherwise the only one with this name. */
export function findOption<Item extends Option>(text: string, options: readonly Item[]): Item | undefined {
  const byNumber = /^\d{1,9}$/.test(text) ? options.find((option) => option.number === Number(text)) : undefined;
  if (byNumber !== undefined) return byNumber;
  const named = findNamed(text, options, ({ name }) => [name]);
  const isShared = options.some(({ name, number }) => name === named?.name && number !== named.number);
  return isShared ? undefined : named;
}

/** `findOption`, with an error for a text that names none of the options. */
export function chooseOption<Item extends Option>(
  text: string,
  options: readonly Item[],
  kind: OptionKind,
  cells: CellReader,
): Item | undefined {
  return findOption(text, options) ?? reportUnknown(text, options, kind, cells);
}

/**
 * A cell with commas where its parts are separated by semicolons: ` Separate bolt-ons with semicolons: 101;102`.
 * @param what the parts
 */
export const semicolonHint = (text: string, what: string): string =>
  text.includes(',') ? `. Separate ${what} with semicolons: ${text.split(/\s*,\s*/).join(';')}` : '';

/** @param hint another sentence for the message */
export function reportUnknown(
  text: string,
  options: readonly Option[],
  { column, code, what, among }: OptionKind,
  cells: CellReader,
  hint = '',
): undefined {
  const alike = options.filter(({ name }) => nameKey(name) === nameKey(text));
  if (alike.length > 1) {
    const message = `${counted(alike.length, what)} ${among} are named "${text}"`;
    return cells.error(column, code, `${message}. Use ${listOptions(alike)}, by its number`);
  }
  const names = options.map((option) => option.name);
  const suggestion = didYouMean(text, names) || (options.length === 0 ? '' : `. Use ${listOptions(options)}`);
  return cells.error(column, code, `There is no ${what} "${text}" ${among}${suggestion}${hint}`);
}

/** `one of Unlimited (2001), Voice (2002), and 3 more`. */
export function listOptions(options: readonly Option[]): string {
  const listed = options.slice(0, mostListed).map((option) => `${option.name} (${option.number})`);
  const more = options.length > mostListed ? `, and ${options.length - mostListed} more` : '';
  return `${listed.length === 1 ? '' : 'one of '}${listed.join(', ')}${more}`;
}

// A cell that names nothing must not hide what is wrong with the cells that depend on it. They are checked against
// everything that it may mean, and what is wrong in every case is reported.

/** Further candidates are not looked up: the first ones show the same mistakes. */
const mostCandidates = 10;

/** What a text that names none of the options may mean: any of them, the similar ones first. */
export function candidatesOf<Item extends { readonly name: string }>(text: string, options: readonly Item[]): Item[] {
  const similar = closest(text, new Set(options.map(({ name }) => name)));
  const isSimilar = ({ name }: Item) => similar.includes(name);
  return [...options.filter(isSimilar), ...options.filter((item) => !isSimilar(item))].slice(0, mostCandidates);
}

/**
 * The check of the only candidate. Of several candidates, the findings of the first in the columns in which each of
 * them has an error; then there is no value.
 */
export async function checkCandidates<Candidate, Value>(
  candidates: readonly Candidate[],
  cells: CellReader,
  check: (candidate: Candidate, cells: CellReader) => Promise<Value>,
): Promise<Value | undefined> {
  if (candidates.length === 1) return check(candidates[0] as Candidate, cells);
  const trials: CellReader[] = [];
  for (const candidate of candidates) {
    const trial = cells.withoutFindings();
    await check(candidate, trial);
    trials.push(trial);
  }
  const [first] = trials;
  const isWrongInEach = (column: string | null) => trials.every((trial) => trial.hasErrorAt(column));
  for (const { column, ...finding } of first?.findings ?? []) {
    if (finding.severity === 'error' && isWrongInEach(column)) cells.report(column, finding);
  }
  return undefined;
}

// Repairs of cells that have only one meaning: texts for "nothing", and dates in other notations.

/** Each notation of a date has one; "auto" has none. */
const hasDigit = /\d/;
const isoDay = /^\d{4}-\d\d-\d\d$/;
/** A point in time; midnight is a day in any zone. */
const isoInstant = /^\d{4}-\d\d-\d\dT(?!00:00(?::00(?:\.0+)?)?Z)\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;
const localTime = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
/** What a spreadsheet shows where a formula failed: what it should be is not known, so it is no empty cell. */
const failedFormula = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|NV|WERT!|BEZUG!)$/i;

export interface RepairedCell {
  readonly text: string;
  readonly finding?: Finding;
}

/** How the cells of a file are read, as far as its header and its rows decide it. */
export interface CellReading {
  /** Of the dates in the column. */
  readonly order?: DateOrder | undefined;
  /** A workbook counts the days of its dates from 1904 on. */
  readonly startsIn1904?: boolean | undefined;
  /** Of the account: the day of a point in time. */
  readonly zone?: string | undefined;
}

/** The one reader of a cell, for all who need its value and report nothing about it. */
export function readCell(raw: string, column: RepairableColumn, reading: CellReading = {}): string {
  const text = column.isVerbatim ? unguardFormula(raw.trim()) : writtenText(raw);
  return repairCell(text, column, reading)?.text ?? text;
}

export type RepairableColumn = Pick<Column, 'name' | 'isDate' | 'hasTime' | 'isVerbatim' | 'emptyTo'>;

/** undefined: the text stays as it is. */
export function repairCell(text: string, column: RepairableColumn, reading: CellReading): RepairedCell | undefined {
  const { name, isVerbatim, emptyTo } = column;
  if (text === '' || isVerbatim) return undefined;
  if (text.startsWith('#') && failedFormula.test(text)) {
    const message = `${name} is "${text}": a formula failed. Enter the value, or empty the cell`;
    return { text: '', finding: error('CELL_NOT_ALLOWED', message) };
  }
  if (isPlaceholder(text)) {
    if (emptyTo !== undefined) {
      const message = `${name} is "${text}". To ${emptyTo}, empty the cell. Otherwise, enter a value`;
      return { text: '', finding: error('CELL_NOT_ALLOWED', message) };
    }
    return { text: '', finding: notice('CELL_PLACEHOLDER', `${name} is "${text}", which was read as empty`) };
  }
  return column.isDate && hasDigit.test(text) && !isoDay.test(text) ? repairDate(text, column, reading) : undefined;
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
