// Reads sheets of a workbook (.xlsx) as records.
import { FileError } from '#shared/csv/file-error.ts';
import type { CsvContents, CsvOptions, OpenedCsv, RecordBatch } from '#shared/csv/record-batch.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import type { Issue } from '#shared/row/issue.ts';
import { chooseSheets } from '#shared/workbook/choose-sheets.ts';
import { type JoinedSheets, joinSheets, type SheetToJoin } from '#shared/workbook/join-sheets.ts';
import { findMergedCells, MergedCells } from '#shared/workbook/merged-cells.ts';
import { sheetToCsv } from '#shared/workbook/sheet-csv.ts';
import { workbookLimits } from '#shared/workbook/workbook-limits.ts';
import { describePlace, type SheetReading, sheetNotices } from './join-sheets.ts';
import { openArchive, type WorkbookArchive } from './open-archive.ts';
import { type RowDoubt, readSheetRows, type SheetRow } from './sheet-rows.ts';
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
  { uncalculated, rows: wanted }: CsvOptions,
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
    const options = { formats: parts, merged, uncalculated, visibleRowsOnly, sheet: sheet.name, ...listeners };
    for await (const rows of readSheetRows(read(), options)) {
      yield offset === 0 ? rows : rows.map(({ number, cells }) => ({ number: number + offset, cells }));
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
  return opened.ok
    ? { ok: true, value: withRowNumbers(opened.value, csv.rowOfLine, { ...reading, ...joined }) }
    : opened;
}

function withRowNumbers(
  contents: CsvContents,
  rowOfLine: (line: number) => number,
  reading: SheetReading & JoinedSheets,
): CsvContents {
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
    batches: mapBatches(contents.batches, rowOfLine),
    notices: () => [...sheetNotices(reading, headerLine, contents.header), ...contents.notices().map(toRow)],
  };
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
