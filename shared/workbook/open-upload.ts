// Opens an uploaded file: a CSV, or a workbook (.xlsx). The code for workbooks is loaded only when a file is one.

import type { CsvOptions, OpenedCsv } from '#shared/csv/record-batch.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { detectArchive } from '#shared/text/first-bytes.ts';

/** As `readCsv`. The line of a row of a workbook is its number in the spreadsheet program. */
export async function openUpload(source: AsyncIterable<Uint8Array>, options: CsvOptions = {}): Promise<OpenedCsv> {
  const { isArchive, bytes } = await detectArchive(source);
  if (!isArchive) return readCsv(bytes, options);
  const { readWorkbook } = await import('#shared/files/workbook/read-workbook.ts');
  return readWorkbook(bytes, options);
}
