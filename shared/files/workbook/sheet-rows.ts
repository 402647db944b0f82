// Reads the rows of a sheet as a stream.
import { columnLetters, columnOf } from '#shared/files/csv/csv-row.ts';
import { FileError } from '#shared/files/csv/decode-text.ts';
import { type CellFormats, cellText, isDateCell, isOff, keptRun, struckRun } from './cell-text.ts';
import { invalidWorkbook, workbookLimits } from './open-archive.ts';
import { type Attribute, parseXml } from './parse-xml.ts';

export interface SheetRow {
  /** As the spreadsheet program shows it, from 1. */
  readonly number: number;
  /** Up to the last cell with a text. */
  readonly cells: readonly string[];
  /** The indexes of those that are stored as dates. @default - none */
  readonly dates?: readonly number[] | undefined;
}

/** A spreadsheet program does not show it (hidden, or left out by a filter), or strikes out all its texts or some. */
export type RowDoubt = 'hidden' | 'struckOut' | 'partlyStruckOut';

export interface SheetRowOptions {
  readonly formats: CellFormats;
  readonly merged: MergedCells;
  /** A row with texts that the user may want to leave out. */
  readonly onDoubtfulRow: (row: number, doubt: RowDoubt) => void;
  /** Columns that a spreadsheet program does not show, by their numbers. */
  readonly onHiddenColumns: (first: number, last: number) => void;
  /** The last column with a cell, by its number, as the program that wrote the sheet states it. */
  readonly onWidth: (columns: number) => void;
  /** Whether to leave such rows out. */
  readonly visibleRowsOnly?: boolean | undefined;
  /** Its name. */
  readonly sheet: string;
}

/** Rows with texts, in order, as many at a time as a chunk has. @throws FileError */
export async function* readSheetRows(
  chunks: AsyncIterable<Uint8Array>,
  options: SheetRowOptions,
): AsyncGenerator<readonly SheetRow[]> {
  const builder = new RowBuilder(options);
  const handlers = {
    open: (name: string, attribute: Attribute) => builder.open(name, attribute),
    close: (name: string) => builder.close(name),
    text: (text: string) => builder.text(text),
  };
  for await (const _ of parseXml(chunks, handlers)) {
    if (builder.rows.length > 0) yield builder.rows;
    builder.rows = [];
  }
}

class RowBuilder {
  rows: SheetRow[] = [];
  readonly #options: SheetRowOptions;
  #number = 0;
  #isHidden = false;
  #struckCells = 0;
  #keptCells = 0;
  #cells: string[] = [];
  #dates: number[] = [];
  #column = 0;
  #cellCount = 0;
  #type = 'n';
  #style: string | undefined;
  #value = '';
  #inline = '';
  /** The element whose text is read. */
  #reading: 'v' | 't' | undefined;
  #isPhonetic = false;
  #hasFormula = false;
  /** Which parts the inline text has. */
  #runs = 0;
  #isRunStruck = false;

  constructor(options: SheetRowOptions) {
    this.#options = options;
  }

  open(name: string, attribute: Attribute): void {
    if (name === 'row') this.#openRow(attribute);
    else if (name === 'col') this.#openColumns(attribute);
    else if (name === 'dimension')
      this.#options.onWidth(columnOf(/:([A-Z]{1,3})/.exec(attribute('ref') ?? '')?.[1] ?? ''));
    else if (name === 'c') this.#openCell(attribute);
    else if (name === 'v') this.#reading = 'v';
    else if (name === 'f') this.#hasFormula = true;
    else if (name === 't') this.#reading = this.#isPhonetic ? undefined : 't';
    else if (name === 'rPh') this.#isPhonetic = true;
    else if (name === 'r') this.#isRunStruck = false;
    else if (name === 'strike') this.#isRunStruck = !isOff(attribute('val'));
  }

  #openColumns(attribute: Attribute): void {
    const isHidden = ['1', 'true'].includes(attribute('hidden') ?? '') || Number(attribute('width') ?? 1) === 0;
    if (isHidden) this.#options.onHiddenColumns(Number(attribute('min')), Number(attribute('max')));
  }

  text(text: string): void {
    if (this.#reading === 'v') this.#value += text;
    else if (this.#reading === 't') {
      this.#inline += text;
      if (text.trim() !== '') this.#runs |= this.#isRunStruck ? struckRun : keptRun;
    }
    if (this.#value.length + this.#inline.length > workbookLimits.textCharacters)
      throw tooLarge(`more than ${workbookLimits.textCharacters} characters in the cell ${this.#place}`);
  }

  close(name: string): void {
    if (name === 'c') this.#closeCell();
    else if (name === 'row' && this.#cells.length > 0) this.#closeRow();
    else if (name === 'rPh') this.#isPhonetic = false;
    if (name === 'v' || name === 't') this.#reading = undefined;
  }

  #openRow(attribute: Attribute): void {
    const number = Number(attribute('r') ?? this.#number + 1);
    const isRow = Number.isSafeInteger(number) && number <= workbookLimits.rows;
    if (!isRow || number <= this.#number) throw new Error(`row ${number} is not in its place`);
    this.#number = number;
    this.#isHidden = ['1', 'true'].includes(attribute('hidden') ?? '') || Number(attribute('ht') ?? 1) === 0;
    this.#struckCells = 0;
    this.#keptCells = 0;
    this.#cells = [];
    this.#dates = [];
    this.#column = 0;
  }

  #closeRow(): void {
    const { merged, onDoubtfulRow, visibleRowsOnly } = this.#options;
    const doubt = this.#doubt;
    this.#cellCount += merged.fill(this.#number, this.#cells);
    if (doubt !== undefined) onDoubtfulRow(this.#number, doubt);
    const isLeftOut = doubt !== undefined && doubt !== 'partlyStruckOut' && visibleRowsOnly;
    // The rows of another sheet still follow behind it.
    this.rows.push({ number: this.#number, cells: isLeftOut ? [] : this.#cells, dates: this.#dates });
  }

  get #doubt(): RowDoubt | undefined {
    if (this.#isHidden) return 'hidden';
    if (this.#struckCells === 0) return undefined;
    return this.#keptCells === 0 ? 'struckOut' : 'partlyStruckOut';
  }

  #openCell(attribute: Attribute): void {
    const letters = /^[A-Z]+/.exec(attribute('r') ?? '')?.[0];
    this.#column = letters === undefined ? this.#column + 1 : columnOf(letters);
    if (this.#column > workbookLimits.sheetColumns) throw new Error(`row ${this.#number} has a cell in no column`);
    this.#type = attribute('t') ?? 'n';
    this.#style = attribute('s');
    this.#value = '';
    this.#inline = '';
    this.#runs = 0;
    this.#isRunStruck = false;
    this.#hasFormula = false;
  }

  #closeCell(): void {
    // An empty text as the result of a formula has the type `str`.
    const { formats } = this.#options;
    if (this.#hasFormula && this.#value === '' && this.#type !== 'str') throw this.#noValue();
    const raw = { type: this.#type, style: this.#style, value: this.#value, inline: this.#inline };
    const text = cellText(raw, formats);
    if (text === '') return;
    const runs = this.#type === 's' ? formats.sharedTexts.runsOf(Number(this.#value)) : this.#runs;
    const isStruckOut = formats.styles.isStruckOut(this.#style ?? '0') || runs === struckRun;
    if (isStruckOut || (runs & struckRun) !== 0) this.#struckCells += 1;
    if (!isStruckOut) this.#keptCells += 1;
    const { cells, columns } = workbookLimits;
    if (this.#column > columns)
      throw tooLarge(`more than ${columns} columns: ${this.#place} is filled. Remove what is beside the table`);
    const before = this.#cells.length;
    while (this.#cells.length < this.#column - 1) this.#cells.push('');
    this.#cells[this.#column - 1] = text;
    if (isDateCell(raw, formats)) this.#dates.push(this.#column - 1);
    this.#cellCount += Math.max(1, this.#cells.length - before);
    if (this.#cellCount > cells) throw tooLarge(`more than ${cells.toLocaleString('en-GB')} cells: split the file`);
  }

  get #place(): string {
    return `${columnLetters(this.#column - 1)}${this.#number}`;
  }

  #noValue(): FileError {
    const message =
      `the cell ${this.#place} of the sheet "${this.#options.sheet}" has a formula without a value: ` +
      'open the workbook in your spreadsheet program and save it there';
    return new FileError('FILE_WORKBOOK_INVALID', message, this.#number);
  }
}

const tooLarge = (what: string): FileError => new FileError('FILE_TOO_LARGE', `the sheet has ${what}`);

// Cells merged over rows. A spreadsheet program stores their value in the first row only, and shows it for all of them.

interface MergedCell {
  readonly firstRow: number;
  readonly lastRow: number;
  /** From 0. Of cells merged over columns too, only the first column has the value. */
  readonly column: number;
}

const element = /<(?:\w+:)?mergeCell\s+ref\s*=\s*["']([A-Z]+)(\d+):[A-Z]+(\d+)["']/g;
/** Longer than the element. */
const longestElement = 200;

/** Those of a sheet, which lists them behind its rows. The texts of cells contain no `<`. */
export async function findMergedCells(chunks: AsyncIterable<Uint8Array>): Promise<MergedCells> {
  const found: MergedCell[] = [];
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    let end = 0;
    for (const { 0: all, 1: letters = '', 2: first, 3: last, index } of text.matchAll(element)) {
      end = index + all.length;
      const column = columnOf(letters) - 1;
      const isOverRows = Number(last) > Number(first) && column < workbookLimits.columns;
      if (isOverRows) found.push({ firstRow: Number(first), lastRow: Number(last), column });
      if (found.length > workbookLimits.mergedCells)
        throw invalidWorkbook('it has too many merged cells', 'save it as "CSV UTF-8"');
    }
    rest = text.slice(Math.max(end, text.length - longestElement));
  }
  return new MergedCells(found);
}

/** Gives the rows of merged cells their value. */
export class MergedCells {
  readonly #waiting: readonly MergedCell[];
  #next = 0;
  /** Those of the row before, by column. */
  readonly #open = new Map<number, { readonly lastRow: number; readonly value: string }>();

  constructor(cells: readonly MergedCell[]) {
    this.#waiting = cells.toSorted((one, other) => one.firstRow - other.firstRow);
  }

  /** Fills the empty cells of a row. Rows must come in order. Returns how many cells were filled. */
  fill(row: number, cells: string[]): number {
    let filled = 0;
    for (const [column, { lastRow, value }] of this.#open) {
      if (row > lastRow) this.#open.delete(column);
      else if ((cells[column] ?? '') === '') {
        while (cells.length < column) cells.push('');
        cells[column] = value;
        filled += 1;
      }
    }
    for (let cell = this.#waiting[this.#next]; cell && cell.firstRow <= row; cell = this.#waiting[this.#next]) {
      this.#next += 1;
      const value = cells[cell.column] ?? '';
      if (cell.firstRow === row && value !== '') this.#open.set(cell.column, { lastRow: cell.lastRow, value });
    }
    return filled;
  }
}
