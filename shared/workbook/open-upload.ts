// Opens an uploaded file: a CSV, or a workbook (.xlsx). The code for workbooks is loaded only when a file is one.
import { readCsv } from '#shared/csv/read-csv.ts';
import type { CsvOptions, OpenedCsv } from '#shared/csv/record-batch.ts';

const archiveMark = [0x50, 0x4b, 0x03, 0x04];

/** As `readCsv`. The line of a row of a workbook is its number in the spreadsheet program. */
export async function openUpload(source: AsyncIterable<Uint8Array>, options: CsvOptions = {}): Promise<OpenedCsv> {
  const iterator = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < archiveMark.length) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = withHead(head, iterator);
  if (!archiveMark.every((byte, index) => head[index] === byte)) return readCsv(whole, options);
  const { readWorkbook } = await import('./read-workbook.ts');
  return readWorkbook(whole, options);
}

async function* withHead(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
