// Reads one sheet of a workbook (.xlsx) as records: the sheet that the user named, or the first one with a header.
import { FileError } from '#shared/csv/file-error.ts';
import { readCsv } from '#shared/csv/read-csv.ts';
import type { CsvContents, CsvOptions, OpenedCsv, RecordBatch } from '#shared/csv/record-batch.ts';
import { errorAt, type Issue, notice } from '#shared/domain/imports/issue.ts';
import { didYouMean } from '#shared/domain/text/did-you-mean.ts';
import { readAtMost } from '#shared/domain/text/read-at-most.ts';
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
  let firstFilled: SheetPart | undefined;
  for (const sheet of candidates) {
    const opened = await readSheet(sheet, workbook, options);
    if (!opened.ok) {
      if (opened.issue.code !== 'FILE_EMPTY') return opened;
      continue;
    }
    if (candidates.length === 1 || (options.isHeader?.(opened.value.header) ?? true)) return opened;
    await opened.value.close();
    firstFilled ??= sheet;
  }
  return readSheet(firstFilled ?? (candidates[0] as SheetPart), workbook, options);
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
  const chunks = archive.read(sheet.path, workbookLimits.sheetBytes);
  const csv = sheetToCsv(readSheetRows(chunks, parts, options.uncalculated));
  const opened = await readCsv(csv.bytes, {
    ...options,
    delimiter: ',',
    encoding: 'utf-8',
    rowOfLine: csv.rowOfLine,
  });
  return opened.ok ? { ok: true, value: withRowNumbers(opened.value, csv, sheet, parts) } : opened;
}

function withRowNumbers(contents: CsvContents, { rowOfLine }: SheetCsv, sheet: SheetPart, parts: WorkbookParts) {
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
    notices: () => [...chosen, ...contents.notices().map(toRow)],
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

function issueOf(error: unknown): Issue {
  if (error instanceof FileError) return error.issue;
  throw error;
}
