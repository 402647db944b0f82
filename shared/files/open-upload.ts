// Opens an uploaded file: a CSV, or a workbook (.xlsx). The code for workbooks is loaded only when a file is one.
import { fitSheets } from '#shared/import/import-state.ts';
import type { SavedSettings } from '#shared/import/saved-settings.ts';
import { errorAt } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import { detectArchive } from '#shared/text/first-bytes.ts';
import { type OperationName, shortId } from '#shared/text/identity.ts';
import { readCsv } from './csv/read-csv.ts';
import type { CsvOptions, OpenedCsv } from './csv/record-batch.ts';
import { createHeaderTest } from './header-words.ts';

/** As `readCsv`. The line of a row of a workbook is its number in the spreadsheet program. */
export async function openUpload(source: AsyncIterable<Uint8Array>, options: CsvOptions = {}): Promise<OpenedCsv> {
  const { isArchive, bytes } = await detectArchive(source);
  if (!isArchive) return readTextFile(bytes, options);
  const { readWorkbook } = await import('./workbook/read-workbook.ts');
  return readWorkbook(bytes, options);
}

/** Rows that a spreadsheet hid are in its CSV like all others, so what was meant by these settings is not known. */
async function readTextFile(bytes: AsyncIterable<Uint8Array>, options: CsvOptions): Promise<OpenedCsv> {
  const { sheet, otherSheets, visibleRowsOnly } = options;
  const given = { '--sheet': sheet ?? otherSheets?.[0], '--visible-rows-only': visibleRowsOnly || undefined };
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : name));
  const opened = await readCsv(bytes, options);
  if (names.length === 0 || !opened.ok) return opened;
  await opened.value.close();
  const message = `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} for a workbook, and this file is a text file`;
  return { ok: false, issue: errorAt(0, 'FILE_SETTING_INVALID', `${message}: leave it out, or import the workbook`) };
}

// Recognises files with the same header, for which a person saved how they are read.

interface Operation {
  readonly name: OperationName;
  readonly columns: Parameters<typeof createHeaderTest>[0];
}

/** null: the first row of a file without a header may contain a PAC. */
export const headerIdOf = (operation: OperationName, header: readonly string[]): string | null =>
  header.some((cell) => redactText(cell) !== cell)
    ? null
    : shortId(['header', operation, ...header.map((cell) => cell.trim())]);

interface DetectedHeader {
  readonly headerId: string | null;
  /** The names of all sheets of a workbook. */
  readonly sheets: readonly string[];
}

/** The header as it is detected without settings: a person may have chosen another row or sheet for it. */
export async function detectHeader(
  source: AsyncIterable<Uint8Array>,
  { name, columns }: Operation,
  checkTime: () => void,
): Promise<DetectedHeader> {
  const opened = await openUpload(source, { isHeader: createHeaderTest(columns), rows: 'first', checkTime });
  if (!opened.ok) return { headerId: null, sheets: [] };
  const { header, sheets = [], close } = opened.value;
  await close();
  return { headerId: headerIdOf(name, header), sheets };
}

export const isFor = ({ savedId, settings }: SavedSettings, { headerId, sheets }: DetectedHeader): boolean =>
  savedId === headerId && fitSheets(settings, sheets);
