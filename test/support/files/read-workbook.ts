// Reads a workbook as ingest does.
import { createReadStream } from 'node:fs';
import { openUpload } from '#shared/files/open-upload.ts';

interface Sheet {
  readonly header: readonly string[];
  readonly rows: string[][];
}

export const readWorkbookFile = (path: string): Promise<Sheet> => readWorkbook(createReadStream(path));

export async function readWorkbook(bytes: AsyncIterable<Uint8Array>): Promise<Sheet> {
  const opened = await openUpload(bytes);
  if (!opened.ok) throw new Error(opened.issue.message);
  const rows: string[][] = [];
  for await (const { lines, cellsOf } of opened.value.batches) {
    for (const row of lines.keys()) rows.push([...cellsOf(row)]);
  }
  return { header: opened.value.header, rows };
}
