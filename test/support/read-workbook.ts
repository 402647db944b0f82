// Reads a workbook as ingest does.
import { createReadStream } from 'node:fs';
import { openUpload } from '#shared/workbook/open-upload.ts';

export async function readWorkbookFile(path: string): Promise<{ header: readonly string[]; rows: string[][] }> {
  const opened = await openUpload(createReadStream(path));
  if (!opened.ok) throw new Error(opened.issue.message);
  const rows: string[][] = [];
  for await (const { lines, cellsOf } of opened.value.batches) {
    for (const row of lines.keys()) rows.push([...cellsOf(row)]);
  }
  return { header: opened.value.header, rows };
}
