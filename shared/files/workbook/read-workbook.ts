// Reads sheets of a workbook (.xlsx) as records.
import { peekBatch } from '#shared/files/column-values.ts';
import { FileError } from '#shared/files/csv/decode-text.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import type { CsvContents, CsvOptions, OpenedCsv, RecordBatch } from '#shared/files/csv/record-batch.ts';
import { didYouMean } from '#shared/row/did-you-mean.ts';
import type { Issue } from '#shared/row/issue.ts';
import { counted } from '#shared/text/wording.ts';
import {
  describePlace,
  type JoinedSheets,
  joinSheets,
  type SheetReading,
  type SheetToJoin,
  sheetNotices,
} from './join-sheets.ts';
import { openArchive, type WorkbookArchive, workbookLimits } from './open-archive.ts';
import { findMergedCells, MergedCells, type RowDoubt, readSheetRows, type SheetRow } from './sheet-rows.ts';
import { readWorkbookParts, type SheetPart, type WorkbookParts } from './workbook-parts.ts';

/** A fault of the workbook is returned as an issue; only errors of `source` itself are thrown. */
export async function readWorkbook(source: AsyncIterable<Uint8Array>, options: CsvOptions): Promise<OpenedCsv> {
  let archive: WorkbookArchive | undefined;
  try {
    archive = await openArchive(source, options.checkTime);
    const workbook = { archive, parts: await readWorkbookParts(archive, options.rows) };
    const opened = await openSheets(workbook, options);
    if (opened.ok) return { ok: true, value: withArchive(opened.value, workbook, options) };
    archive.close();
    return opened;
  } catch (error) {
    archive?.close();
    if (error instanceof FileError) return { ok: false, issue: error.issue };
    throw error;
  }
}

/** Closes the archive when the rows are read, or not wanted. */
function withArchive(contents: CsvContents, workbook: Workbook, options: CsvOptions): CsvContents {
  const { archive } = workbook;
  async function* batches(): AsyncGenerator<RecordBatch> {
    try {
      yield* contents.batches;
    } finally {
      archive.close();
    }
  }
  return {
    ...contents,
    batches: batches(),
    again: (layout) => openSheets(workbook, { ...options, ...layout }),
    close: async () => {
      await contents.close();
      archive.close();
    },
  };
}

interface Workbook {
  readonly archive: WorkbookArchive;
  readonly parts: WorkbookParts;
}

async function openSheets(workbook: Workbook, options: CsvOptions): Promise<OpenedCsv> {
  const { sheets } = workbook.parts;
  const chosen = await chooseSheets(sheets, (sheet) => openSheet(sheet, workbook, options), options);
  const [first, ...others] = chosen;
  if (first === undefined || others.length === 0)
    return openSheet((first ?? sheets[0]) as SheetPart, workbook, options);
  return openJoined(chosen, workbook, options);
}

async function openSheet(sheet: SheetPart, workbook: Workbook, options: CsvOptions): Promise<OpenedCsv> {
  const reading = newReading(workbook, options);
  const joined = { rows: readRows(sheet, workbook, reading, options)(0), starts: [], others: [] };
  return openRows(joined, { ...reading, sheets: [sheet] }, options);
}

/** Each sheet has its own header. */
async function openJoined(chosen: readonly SheetPart[], workbook: Workbook, options: CsvOptions): Promise<OpenedCsv> {
  const { isHeader = () => true, otherSheets = [] } = options;
  const reading = newReading(workbook, options);
  const found: (SheetToJoin & { readonly sheet: SheetPart })[] = [];
  for (const [index, sheet] of chosen.entries()) {
    const headerLine = (index > 0 ? otherSheets[index - 1]?.headerLine : undefined) ?? options.headerLine;
    const opened = await openSheet(sheet, workbook, { ...options, headerLine });
    if (!opened.ok && opened.issue.code !== 'FILE_EMPTY') return { ok: false, issue: inSheet(opened.issue, sheet) };
    if (opened.ok) await opened.value.close();
    if (!opened.ok || !isHeader(opened.value.header)) {
      reading.withoutHeader.push(sheet);
      continue;
    }
    const { header, headerLine: headerRow } = opened.value;
    found.push({ sheet, name: sheet.name, header, headerRow, rows: readRows(sheet, workbook, reading, options) });
  }
  const sheets = found.map(({ sheet }) => sheet);
  const [first] = found;
  if (first === undefined) return openSheet(chosen[0] as SheetPart, workbook, options);
  const { headerRow: headerLine } = first;
  return openRows(joinSheets(found), { ...reading, sheets }, { ...options, headerLine });
}

/** Its line is a row of that sheet. */
const inSheet = (issue: Issue, { name }: SheetPart): Issue => ({
  ...issue,
  message: issue.message.includes(`sheet "${name}"`) ? issue.message : `${issue.message} (in the sheet "${name}")`,
});

const newReading = ({ parts }: Workbook, { visibleRowsOnly }: CsvOptions): Omit<SheetReading, 'sheets'> => ({
  all: parts.sheets.filter(({ isInternal }) => !isInternal),
  withoutHeader: [],
  startsIn1904: parts.startsIn1904,
  hiddenColumns: [],
  widths: [],
  surplusRows: [],
  doubtful: { hidden: [], struckOut: [], partlyStruckOut: [] },
  visibleRowsOnly,
});

/** The rows of a sheet, with an offset that is added to their numbers. */
const readRows = (
  sheet: SheetPart,
  { archive, parts }: Workbook,
  { doubtful, hiddenColumns, widths, visibleRowsOnly }: Omit<SheetReading, 'sheets'>,
  { rows: wanted }: CsvOptions,
) =>
  async function* (offset: number): AsyncGenerator<readonly SheetRow[]> {
    const read = () => archive.read(sheet.path);
    const isLarge = archive.bytesOf(sheet.path) > workbookLimits.smallSheetBytes;
    const merged = wanted === 'first' && isLarge ? new MergedCells([]) : await findMergedCells(read());
    const onDoubtfulRow = (row: number, doubt: RowDoubt) => void doubtful[doubt].push(row + offset);
    const onWidth = (columns: number) => void widths.push(columns);
    const onHiddenColumns = (first: number, last: number) =>
      void hiddenColumns.push({ sheet: sheet.name, first, last });
    const listeners = { onDoubtfulRow, onHiddenColumns, onWidth };
    const options = { formats: parts, merged, visibleRowsOnly, sheet: sheet.name, ...listeners };
    for await (const rows of readSheetRows(read(), options)) {
      yield offset === 0 ? rows : rows.map((row) => ({ ...row, number: row.number + offset }));
    }
  };

async function openRows(joined: JoinedSheets, reading: SheetReading, options: CsvOptions): Promise<OpenedCsv> {
  const csv = sheetToCsv(joined.rows, {
    // One that is formatted to its last column has few texts there.
    width: () => reading.widths.findLast((columns) => columns <= workbookLimits.columns) ?? 0,
    onSurplus: (row) => void reading.surplusRows.push(row),
  });
  const asCsv = { ...options, delimiter: ',', encoding: 'utf-8', rowOfLine: csv.rowOfLine } as const;
  const opened = await readCsv(csv.bytes, asCsv);
  return opened.ok ? { ok: true, value: withRowNumbers(opened.value, csv, { ...reading, ...joined }) } : opened;
}

function withRowNumbers(contents: CsvContents, csv: SheetAsCsv, reading: SheetReading & JoinedSheets): CsvContents {
  const { rowOfLine } = csv;
  const { starts, others, all, startsIn1904 } = reading;
  const [first] = reading.sheets;
  const toRow = (issue: Issue): Issue => ({ ...issue, line: rowOfLine(issue.line) });
  const headerLine = rowOfLine(contents.headerLine);
  return {
    ...contents,
    headerLine,
    ...(first && { sheet: first.name }),
    ...(startsIn1904 && { startsIn1904 }),
    ...(others.length > 0 && {
      otherSheets: others,
      placeOf: (line: number) => describePlace(line, starts) ?? '',
    }),
    sheets: all.map(({ name }) => name),
    batches: mapBatches(contents.batches, csv),
    notices: () => [...sheetNotices(reading, headerLine, contents.header), ...contents.notices().map(toRow)],
  };
}

async function* mapBatches(
  batches: AsyncIterable<RecordBatch>,
  { rowOfLine, takeDates }: SheetAsCsv,
): AsyncGenerator<RecordBatch> {
  for await (const batch of batches) {
    const rejected = new Map(
      [...batch.rejected].map(([index, issue]) => [index, { ...issue, line: rowOfLine(issue.line) }]),
    );
    const lines = batch.lines.map(rowOfLine);
    yield { ...batch, lines, rejected, dateCells: takeDates(lines) };
  }
}

// Chooses the sheets of a workbook that are read: those that the user named, or the only one with a header.

type OpenSheet = (sheet: SheetPart) => Promise<OpenedCsv>;

/** In the order in which they are read. @throws FileError */
export async function chooseSheets(
  sheets: readonly SheetPart[],
  open: OpenSheet,
  options: CsvOptions,
): Promise<readonly SheetPart[]> {
  if (options.sheet !== undefined) {
    const names = [options.sheet, ...(options.otherSheets ?? []).map(({ sheet }) => sheet)];
    return [...new Set(names.map((name) => findSheet(sheets, name)))];
  }
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const candidates = visible.length > 0 ? visible : sheets;
  if (candidates.length === 1) return candidates;
  const looked: { sheet: SheetPart; content: SheetContent }[] = [];
  for (const sheet of candidates) looked.push({ sheet, content: await lookInto(await open(sheet), options) });
  const meant = looked.filter(({ content }) => content === 'rows').map(({ sheet }) => sheet);
  if (meant.length > 1 && options.severalSheets === 'reject') throw askForSheet(meant);
  const ranked = looked.toSorted((one, other) => ranks.indexOf(one.content) - ranks.indexOf(other.content));
  return ranked.slice(0, 1).map(({ sheet }) => sheet);
}

/** What a sheet has: rows below a header of the operation, the header alone, a fault, another text, or nothing. */
const ranks = ['rows', 'header', 'fault', 'text', 'nothing'] as const;
type SheetContent = (typeof ranks)[number];

async function lookInto(opened: OpenedCsv, { isHeader = () => true }: CsvOptions): Promise<SheetContent> {
  if (!opened.ok) return opened.issue.code === 'FILE_EMPTY' ? 'nothing' : 'fault';
  const { header, batches, close } = opened.value;
  const { first } = await peekBatch(batches);
  await close();
  if (!isHeader(header)) return 'text';
  return first !== undefined && first.lines.length > 0 ? 'rows' : 'header';
}

/** One of them may be last month's. */
function askForSheet(sheets: readonly SheetPart[]): FileError {
  const names = sheets.map(({ name }) => `"${name}"`);
  const message =
    `${counted(sheets.length, 'sheet')} have these columns: ${names.join(', ')}. ` +
    `Choose one, or several that are read as one file: --sheet ${names.at(-1)}, or --sheet ${names.join(' --sheet ')}`;
  return new FileError('FILE_SHEET_AMBIGUOUS', message);
}

function findSheet(sheets: readonly SheetPart[], name: string): SheetPart {
  const found =
    sheets.find((sheet) => sheet.name === name) ??
    sheets.find((sheet) => sheet.name.trim().toLowerCase() === name.trim().toLowerCase());
  if (found !== undefined) return found;
  const names = sheets.map((sheet) => sheet.name);
  const suggestion = didYouMean(name, names) || `; the sheets are ${names.map((one) => `"${one}"`).join(', ')}`;
  throw new FileError('FILE_SHEET_UNKNOWN', `the workbook has no sheet "${name}"${suggestion}`);
}

// Turns the rows of a sheet into the bytes of a CSV file, so that one reader reads both kinds of files. Line numbers
// stay row numbers: an empty row becomes an empty line.

/** Rows that decide how many cells each record has. */
const rowsForWidth = 100;
const needsQuotes = /[",\r\n]|^ | $/;

interface CsvOfSheet {
  /** Columns of the sheet, as far as they are known once its first rows are read. */
  readonly width: () => number;
  /** A later row has texts beside all of them, which are left out. */
  readonly onSurplus: (row: number) => void;
}

interface SheetAsCsv {
  readonly bytes: AsyncIterable<Buffer>;
  readonly rowOfLine: (line: number) => number;
  /** The date cells of the rows with these numbers, by place. Rows must be asked for in order, and once. */
  readonly takeDates: (rows: readonly number[]) => ReadonlyMap<number, readonly number[]>;
}

function sheetToCsv(batches: AsyncIterable<readonly SheetRow[]>, { width: stated, onSurplus }: CsvOfSheet): SheetAsCsv {
  /** Of the rows that are not taken yet. */
  const dates = new Map<number, readonly number[]>();
  /** For each row whose cells contain line breaks: the line of its record, and all such breaks up to it. */
  const breaks: { line: number; total: number }[] = [];
  let nextRow = 1;
  let total = 0;

  const textOf = (rows: readonly SheetRow[], width: number): string => {
    let text = '';
    for (const { number, cells, dates: ofRow } of rows) {
      if (ofRow !== undefined && ofRow.length > 0) dates.set(number, ofRow);
      text += '\n'.repeat(number - nextRow);
      if (cells.length > width) onSurplus(number);
      const record = recordOf(cells.length > width ? cells.slice(0, width) : cells, width);
      const found = record.split('\n').length - 1;
      if (found > 0) {
        total += found;
        breaks.push({ line: number + total - found, total });
      }
      text += `${record}\n`;
      nextRow = number + 1;
    }
    return text;
  };

  async function* bytes(): AsyncGenerator<Buffer> {
    let waiting: SheetRow[] = [];
    let width: number | undefined;
    for await (const rows of batches) {
      if (width === undefined) {
        waiting.push(...rows);
        if (waiting.length < rowsForWidth) continue;
        width = widthOf(waiting.slice(0, rowsForWidth), stated());
        yield Buffer.from(textOf(waiting, width));
        waiting = [];
      } else yield Buffer.from(textOf(rows, width));
    }
    if (width === undefined) yield Buffer.from(textOf(waiting, widthOf(waiting, stated())));
  }

  const rowOfLine = (line: number): number => {
    const last = breaks.findLast((one) => one.line < line);
    return line - (last?.total ?? 0);
  };
  return { bytes: bytes(), rowOfLine, takeDates: (rows) => takeDates(dates, rows) };
}

/** Removes them up to the last of these rows: the reader is some rows ahead. */
function takeDates(dates: Map<number, readonly number[]>, rows: readonly number[]) {
  const taken = new Map<number, readonly number[]>();
  for (const [place, row] of rows.entries()) {
    const ofRow = dates.get(row);
    if (ofRow !== undefined) taken.set(place, ofRow);
  }
  const last = rows.at(-1) ?? 0;
  for (const row of dates.keys()) {
    if (row > last) break;
    dates.delete(row);
  }
  return taken;
}

const widthOf = (rows: readonly SheetRow[], stated: number): number =>
  rows.reduce((most, { cells }) => Math.max(most, cells.length), stated);

/** CR in a cell would count as another line end. */
function recordOf(cells: readonly string[], width: number): string {
  const texts = cells.map((cell) => {
    const text = cell.includes('\r') ? cell.replace(/\r\n?/g, '\n') : cell;
    return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return texts.join(',') + ','.repeat(Math.max(0, width - cells.length));
}
