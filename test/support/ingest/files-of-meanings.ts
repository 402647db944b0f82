// Files that people make of what they mean: their names and order of columns, their marks, what a spreadsheet program
// did to their numbers, several tables, titles, totals, quotes, and rows of an earlier import.
import type { Dice } from '../../chaos/dice.ts';
import { dateStyle, elevenDigits, type TestCell, workbookFile } from '../files/workbook-file.ts';
import type { Field, Meaning, OperationMeaning } from './meanings.ts';

export interface MadeFile {
  readonly body: string | Buffer;
  readonly extension: 'csv' | 'xlsx';
  readonly metadata: Readonly<Record<string, string>>;
  /** The line of each row that was meant. */
  readonly lines: readonly number[];
  /** What may make the file, or rows of it, wait for a person. Without any, all rows must be sent at once. */
  readonly doubts: readonly string[];
  /** The rows come back from another import. */
  readonly isReturned: boolean;
  /** Order 4711 is named 5001, and is meant by this name. */
  readonly hasSharedName: boolean;
}

const dayMs = 86_400_000;
/** Days from the first one of a workbook. */
const daysTo1970 = 25_569;

interface Column {
  readonly name: string;
  /** One for each row. */
  readonly cells: readonly TestCell[];
}

class FileMaker {
  readonly doubts: string[] = [];
  readonly metadata: Record<string, string> = {};
  readonly #dice: Dice;
  readonly #meaning: OperationMeaning;
  readonly #rows: readonly Meaning[];
  readonly #isWorkbook: boolean;
  readonly #hasSharedName: boolean;
  readonly #marks: readonly [yes: string, no: string];

  constructor(
    meaning: OperationMeaning,
    rows: readonly Meaning[],
    dice: Dice,
    { isWorkbook, hasSharedName }: { readonly isWorkbook: boolean; readonly hasSharedName: boolean },
  ) {
    this.#meaning = meaning;
    this.#rows = rows;
    this.#dice = dice;
    this.#isWorkbook = isWorkbook;
    this.#hasSharedName = hasSharedName;
    const isMarked = meaning.fields.some(({ kind, key }) => kind === 'mark' && rows.some((row) => row[key] !== ''));
    // Crosses alone are read as yes, whatever they mean: no file shows it.
    const both = isMarked && dice.chance(0.1);
    if (both) this.doubts.push('crosses beside ticks');
    this.#marks = both ? ['✓', 'x'] : dice.pick(marks);
  }

  columns(): Column[] {
    const dice = this.#dice;
    const made = this.#meaning.fields.flatMap((field) => this.#columnOf(field));
    for (const own of ownColumns) {
      if (!dice.chance(own.chance)) continue;
      if (own.asksIn?.includes(this.#meaning.operation)) this.doubts.push(`a column ${own.name}`);
      made.push({ name: own.name, cells: this.#rows.map(() => dice.pick(own.cells)) });
    }
    const shuffled = made
      .map((column) => ({ column, place: dice.next() }))
      .sort((one, other) => one.place - other.place)
      .map(({ column }) => column);
    return dice.chance(0.1) ? this.#withDamage(shuffled) : shuffled;
  }

  #columnOf(field: Field): Column[] {
    const dice = this.#dice;
    const values = this.#rows.map(({ [field.key]: value = '' }) => value);
    const [first = ''] = values;
    const isEmpty = values.every((value) => value === '');
    if (isEmpty && dice.chance(0.5)) return [];
    const canBeSet = !['sim', 'number'].includes(field.kind ?? '') && !['pac', 'port'].includes(field.key);
    if (canBeSet && !isEmpty && values.every((value) => value === first) && dice.chance(0.15)) {
      this.metadata[`set-${(field.names[0] ?? '').toLowerCase()}`] = encodeURIComponent(first);
      return [];
    }
    const cells = this.#cellsOf(field, values);
    if (field.key === 'tariffNumber' && dice.chance(0.08)) {
      this.doubts.push('a new tariff beside the present one');
      return [
        { name: 'Tariff', cells: values.map((value) => (value === '2001' ? '2003' : '2001')) },
        { name: 'New tariff', cells },
      ];
    }
    const isAlike = field.alike !== undefined && dice.chance(0.05);
    if (isAlike) this.doubts.push(`another name of ${field.key}`);
    const name = dice.pick(isAlike && field.alike ? field.alike : field.names);
    return [{ name: dice.chance(0.2) ? name.toUpperCase() : name, cells }];
  }

  #cellsOf(field: Field, values: readonly string[]): TestCell[] {
    const dice = this.#dice;
    const cells = values.map((value) => this.#cellOf(field, value));
    if (mayBeSwapped(cells)) this.doubts.push('a date cell beside a text that the program did not read as a date');
    if (field.kind !== 'number' || !dice.chance(0.05)) return cells;
    this.doubts.push('a number that was forgotten');
    return cells.with(dice.between(0, cells.length - 1), '');
  }

  #cellOf({ kind, written }: Field, value: string): TestCell {
    if (kind === 'mark') return this.#marks[value === '' ? 1 : 0];
    const isShared = this.#hasSharedName && value === '5001';
    const text = this.#dice.pick((isShared ? undefined : written?.[value]) ?? [value]);
    if (this.#isWorkbook && /^\d{4}-\d\d-\d\d$/.test(text) && this.#dice.chance(0.3))
      return { number: String(Date.parse(text) / dayMs + daysTo1970), style: dateStyle };
    if (!this.#isWorkbook || !/^\d+$/.test(text) || !this.#dice.chance(0.3)) return text;
    if (text.length === 11 && text.startsWith('00')) return { number: text, style: elevenDigits };
    const isChanged = text.length > 15 || (text.startsWith('0') && kind !== 'number');
    if (isChanged) this.doubts.push(`a number of ${text.length} digits in a cell of numbers`);
    return { number: text };
  }

  /** What a spreadsheet program makes of long numbers: of one, or of a whole column. */
  #withDamage(columns: readonly Column[]): Column[] {
    const dice = this.#dice;
    const all = dice.chance(0.5);
    const row = dice.between(0, this.#rows.length - 1);
    const damage = dice.pick([toExponent, toFifteenDigits, withoutZeros]);
    let isDamaged = false;
    const made = columns.map(({ name, cells }) => ({
      name,
      cells: cells.map((cell, index) => {
        if (typeof cell !== 'string' || (index !== row && !all)) return cell;
        const damaged = damage(cell);
        isDamaged ||= damaged !== cell;
        return damaged;
      }),
    }));
    if (isDamaged) this.doubts.push('a damaged number');
    return made;
  }
}

/** Texts alone are what somebody wrote. */
const mayBeSwapped = (cells: readonly TestCell[]): boolean =>
  cells.some((cell) => typeof cell === 'string' && cell.includes('/')) &&
  cells.some((cell) => typeof cell === 'object' && cell !== null && 'style' in cell);

const toExponent = (text: string): string => {
  if (!/^\d{12,}$/.test(text)) return text;
  const [digits = '', exponent = ''] = Number(text).toExponential(5).split('e');
  return `${digits.replace(/\.?0+$/, '')}E${exponent}`;
};
const toFifteenDigits = (text: string): string =>
  /^\d{16,}$/.test(text) ? text.slice(0, 15).padEnd(text.length, '0') : text;
/** Of hex only: what lost its zeros elsewhere looks like any other text. */
const withoutZeros = (text: string): string => (/^00\d{4,6}$/.test(text) ? text.replace(/^0+/, '') : text);

const marks: readonly (readonly [yes: string, no: string])[] = [
  ['yes', 'no'],
  ['Y', ''],
  ['x', ''],
  ['X', 'no'],
  ['1', '0'],
  ['true', 'FALSE'],
  ['✓', ''],
  ['✓', '✗'],
  ['ja', 'nein'],
];

interface OwnColumn {
  readonly name: string;
  readonly cells: readonly string[];
  readonly chance: number;
  /** Operations that ask about it. */
  readonly asksIn?: readonly string[];
}

const ownColumns: readonly OwnColumn[] = [
  { name: 'Customer', cells: ['Total Energies', 'Acme, London', 'Sum Ltd', 'Smith'], chance: 0.4 },
  { name: 'Cost centre', cells: ['4711', 'Sales', ''], chance: 0.2 },
  { name: 'Comment', cells: ['call first\nthen port', 'see "A"', ''], chance: 0.15 },
  {
    name: 'Name',
    cells: ['John Smith', 'Mary Jones'],
    chance: 0.15,
    asksIn: ['create-bundle', 'configure-bundle-control'],
  },
];

/** A line of the file: a row that was meant, with its index, or another one. */
interface Line {
  readonly cells: readonly TestCell[];
  readonly row?: number;
}

const totals = (count: number, dice: Dice): string =>
  dice.pick(['Total', `Grand total: ${count}`, 'Sum', 'TOTAL:', `Total SIMs: ${count}`]);

/** The table, its titles, totals and further headers. */
function linesOf(columns: readonly Column[], count: number, dice: Dice, doubts: string[]): Line[] {
  const namesOf = (some: readonly Column[]): Line => ({ cells: some.map(({ name }) => name) });
  const rowOf = (some: readonly Column[], row: number): Line => ({
    row,
    cells: some.map(({ cells }) => cells[row] ?? ''),
  });
  const rows = (some: readonly Column[], from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => rowOf(some, from + index));
  const lines: Line[] = dice.chance(0.1) ? [{ cells: ['Our numbers of July'] }] : [];
  const split = count > 1 && dice.chance(0.2) ? dice.between(1, count - 1) : count;
  lines.push(namesOf(columns), ...rows(columns, 0, split));
  if (split < count) {
    const isOther = dice.chance(0.6) && columns.length > 1;
    const others = isOther ? swapped(columns, dice) : columns;
    if (isOther) doubts.push('a second table');
    lines.push(namesOf(others), ...rows(others, split, count));
  }
  if (dice.chance(0.15)) lines.push({ cells: [totals(count, dice)] });
  return lines;
}

/** Two of the columns, as likely any two neighbours. */
function swapped(columns: readonly Column[], dice: Dice): readonly Column[] {
  const at = dice.between(0, columns.length - 2);
  return columns.toSpliced(at, 2, ...columns.slice(at, at + 2).reverse());
}

const textOf = (cell: TestCell | undefined): string => (typeof cell === 'string' ? cell : '');
const quoted = (text: string, separator: string): string =>
  text.includes(separator) || /["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** As CSV, perhaps with quotes out of place. */
function writeCsv(lines: readonly Line[], width: number, dice: Dice, doubts: string[]) {
  const separator = dice.pick([',', ';']);
  const texts = lines.map(({ cells }) =>
    Array.from({ length: width }, (_, index) => quoted(textOf(cells[index]), separator)),
  );
  const rows = [...lines.keys()].filter((index) => lines[index]?.row !== undefined);
  // A tick that is only in a line that cannot be read is not seen beside the crosses.
  const hasCrosses = doubts.includes('crosses beside ticks');
  if (rows.length > 1 && dice.chance(width < 3 ? 0.5 : 0.08) && !hasCrosses) {
    doubts.push('a quote out of place');
    const [open = 0, close = 0] = [rows[0], dice.chance(0.3) ? undefined : rows[dice.between(1, rows.length - 1)]];
    const column = dice.between(0, width - 1);
    const place = (line: number, at: number, change: (text: string) => string) => {
      const cells = texts[line];
      if (cells) cells[at] = change(cells[at] ?? '');
    };
    place(open, column, (text) => `"${text}`);
    if (close > 0) place(close, dice.chance(0.7) ? column : dice.between(0, width - 1), (text) => `${text}"`);
  }
  const written = texts.map((cells) => cells.join(separator));
  let line = 1;
  const starts = written.map((text) => {
    const start = line;
    line += text.split('\n').length;
    return start;
  });
  return { body: `${written.join('\n')}\n`, starts };
}

export function makeFile(meaning: OperationMeaning, rows: readonly Meaning[], dice: Dice, importId: string): MadeFile {
  const isWorkbook = dice.chance(0.2);
  const hasSharedName = meaning.fields.some(({ values }) => values.includes('5001')) && dice.chance(0.05);
  const maker = new FileMaker(meaning, rows, dice, { isWorkbook, hasSharedName });
  const { doubts, metadata } = maker;
  if (hasSharedName) doubts.push('a number that is a name, too');
  const isReturned = meaning.operation !== 'create-port' && dice.chance(0.1);
  const columns = maker.columns();
  if (isReturned) {
    columns.push({ name: 'importId', cells: rows.map(() => importId) });
    columns.push({ name: 'line', cells: rows.map((_, index) => String(index + 2)) });
  }
  const lines = linesOf(columns, rows.length, dice, doubts);
  const common = { metadata, doubts, isReturned, hasSharedName };
  if (isWorkbook) {
    const body = workbookFile([{ name: 'Sheet1', rows: lines.map(({ cells }) => cells) }]);
    const places = rows.map((_, row) => lines.findIndex((line) => line.row === row) + 1);
    return { ...common, body, extension: 'xlsx', lines: places };
  }
  const { body, starts } = writeCsv(lines, columns.length, dice, doubts);
  const places = rows.map((_, row) => starts[lines.findIndex((line) => line.row === row)] ?? 0);
  return { ...common, body, extension: 'csv', lines: places };
}
