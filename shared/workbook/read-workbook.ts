// Reads one sheet of a workbook (.xlsx) as records: the sheet that the user named, or the only one with a header.
import { FileError } from '#shared/csv/file-error.ts';
import { peekBatch } from '#shared/csv/peek-batch.ts';
import { readCsv } from '#shared/csv/read-csv.ts';
import type { CsvContents, CsvOptions, OpenedCsv, RecordBatch } from '#shared/csv/record-batch.ts';
import { errorAt, type Issue, notice, warning } from '#shared/domain/imports/issue.ts';
import { counted } from '#shared/domain/text/counted.ts';
import { didYouMean } from '#shared/domain/text/did-you-mean.ts';
import { readAtMost } from '#shared/domain/text/read-at-most.ts';
import { findMergedCells } from './merged-cells.ts';
import { openArchive, type WorkbookArchive } from './open-archive.ts';
import { type SheetCsv, sheetToCsv } from './sheet-csv.ts';
import { readSheetRows } from './sheet-rows.ts';
import { workbookLimits } from './workbook-limits.ts';
import { readWorkbookParts, type SheetPart, type WorkbookParts } from './workbook-parts.ts';

/** A fault of the workbook is returned as an issue; only errors of `source` itself are thrown. */
export async function readWorkbook(source: AsyncIterable<Uint8Array>, options: CsvOptions): Promise<OpenedCsv> {
  const bytes = await readAtMost(source, workbookLimits.fileBytes);
  if (bytes === undefined) {
    const most = Math.floor(workbookLimits.fileBytes / 1024 / 1024);
    return {
      ok: false,
      issue: errorAt(0, 'FILE_TOO_LARGE', `the workbook has more than ${most} MB: split it, or save it as "CSV UTF-8"`),
    };
  }
  try {
    const archive = await openArchive(bytes);
    return await openSheet({ archive, parts: await readWorkbookParts(archive) }, options);
  } catch (error) {
    return { ok: false, issue: issueOf(error) };
  }
}

interface Workbook {
  readonly archive: WorkbookArchive;
  readonly parts: WorkbookParts;
}

async function openSheet(workbook: Workbook, options: CsvOptions): Promise<OpenedCsv> {
  const { sheets } = workbook.parts;
  if (options.sheet !== undefined) return readSheet(findSheet(sheets, options.sheet), workbook, options);
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const candidates = visible.length > 0 ? visible : sheets;
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return readSheet(only, workbook, options);
  const looked: { sheet: SheetPart; content: SheetContent }[] = [];
  for (const sheet of candidates) {
    looked.push({ sheet, content: await lookInto(await readSheet(sheet, workbook, options), options) });
  }
  const meant = looked.filter(({ content }) => content === 'rows').map(({ sheet }) => sheet);
  if (meant.length > 1 && options.severalSheets === 'reject') throw askForSheet(meant);
  const ranked = looked.toSorted((one, other) => ranks.indexOf(one.content) - ranks.indexOf(other.content));
  return readSheet((ranked[0]?.sheet ?? only) as SheetPart, workbook, options);
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
  const names = sheets.map(({ name }) => `"${name}"`).join(', ');
  const message = `${counted(sheets.length, 'sheet')} have these columns: ${names}. Name the one to import`;
  return new FileError('FILE_SHEET_AMBIGUOUS', `${message}: --sheet "${sheets.at(-1)?.name}"`);
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

async function readSheet(sheet: SheetPart, workbook: Workbook, options: CsvOptions): Promise<OpenedCsv> {
  const { archive, parts } = workbook;
  const read = () => archive.read(sheet.path, workbookLimits.sheetBytes);
  const merged = await findMergedCells(read());
  const hidden: number[] = [];
  const { uncalculated, visibleRowsOnly } = options;
  const rowOptions = { formats: parts, merged, uncalculated, visibleRowsOnly };
  const csv = sheetToCsv(readSheetRows(read(), { ...rowOptions, onHiddenRow: (row) => void hidden.push(row) }));
  const opened = await readCsv(csv.bytes, {
    ...options,
    delimiter: ',',
    encoding: 'utf-8',
    rowOfLine: csv.rowOfLine,
  });
  return opened.ok
    ? { ok: true, value: withRowNumbers(opened.value, csv, { sheet, parts, hidden, visibleRowsOnly }) }
    : opened;
}

interface ReadSheet {
  readonly sheet: SheetPart;
  readonly parts: WorkbookParts;
  /** The rows that are not shown. Complete once all rows are read. */
  readonly hidden: readonly number[];
  readonly visibleRowsOnly: boolean | undefined;
}

function withRowNumbers(contents: CsvContents, { rowOfLine }: SheetCsv, read: ReadSheet) {
  const { sheet, parts, hidden, visibleRowsOnly } = read;
  const own = parts.sheets.filter(({ isInternal }) => !isInternal);
  const others = own.filter((one) => one !== sheet).map(({ name }) => `"${name}"`);
  const message = `the sheet "${sheet.name}" was read. The workbook also has ${others.join(', ')}: --sheet NAME`;
  const chosen: Issue[] =
    others.length === 0 ? [] : [{ line: 0, column: null, ...notice('FILE_SHEET_CHOSEN', message) }];
  const toRow = (issue: Issue): Issue => ({ ...issue, line: rowOfLine(issue.line) });
  return {
    ...contents,
    headerLine: rowOfLine(contents.headerLine),
    sheet: sheet.name,
    sheets: own.map(({ name }) => name),
    batches: mapBatches(contents.batches, rowOfLine),
    notices: () => {
      const below = hidden.filter((row) => row > rowOfLine(contents.headerLine));
      return [...chosen, ...hiddenRows(below, visibleRowsOnly), ...contents.notices().map(toRow)];
    },
  };
}

const shownRows = 10;

/** Hidden rows are sent like others unless the person leaves them out: so it must be clear which they are. */
function hiddenRows(rows: readonly number[], visibleRowsOnly = false): Issue[] {
  const [first] = rows;
  if (first === undefined) return [];
  const shown = rows.slice(0, shownRows).join(', ');
  const more = rows.length > shownRows ? ` and ${counted(rows.length - shownRows, 'other')}` : '';
  const which = `${counted(rows.length, 'row')} that the workbook hides or filters out`;
  const verb = rows.length === 1 ? 'is' : 'are';
  const where = `${rows.length === 1 ? 'line' : 'lines'} ${shown}${more}`;
  const finding = visibleRowsOnly
    ? notice('FILE_ROWS_HIDDEN', `${which} ${verb} left out: ${where}`)
    : warning('FILE_ROWS_HIDDEN', `${which} ${verb} imported too: ${where}. To leave them out: --visible-rows-only`);
  return [{ line: first, column: null, ...finding }];
}

async function* mapBatches(
  batches: AsyncIterable<RecordBatch>,
  rowOfLine: (line: number) => number,
): AsyncGenerator<RecordBatch> {
  for await (const batch of batches) {
    const rejected = new Map(
      [...batch.rejected].map(([index, issue]) => [index, { ...issue, line: rowOfLine(issue.line) }]),
    );
    yield { ...batch, lines: batch.lines.map(rowOfLine), rejected };
  }
}

function issueOf(error: unknown): Issue {
  if (error instanceof FileError) return error.issue;
  throw error;
}
