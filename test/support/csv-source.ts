// CSV files for tests: bytes dealt out in chunks of any size, and everything a reader makes of them.

import { readCsv } from '#shared/csv/reader.ts';
import type { CsvOptions, RejectedRecord } from '#shared/csv/records.ts';
import type { Issue } from '#shared/domain/issue.ts';

/** The bytes of `content` in chunks of `chunkBytes`; `onChunk` hears of each before it is handed out. */
export async function* chunked(
  content: string | Uint8Array,
  chunkBytes = 65_536,
  onChunk: () => void = () => {},
): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    onChunk();
    yield bytes.subarray(start, start + chunkBytes);
  }
}

/**
 * A header and a first record longer than what the reader gathers to tell the kind of a file: what follows reaches
 * every part of it in the chunks as they are cut.
 */
export const longStart = `a,b\n1,${'x'.repeat(1200)}\n`;

export interface ReadFile {
  readonly header: readonly string[];
  readonly delimiter: string;
  readonly records: readonly { readonly line: number; readonly cells: readonly string[] }[];
  readonly rejected: readonly RejectedRecord[];
  /** The fault of the file, wherever it came up. */
  readonly fault: Issue | null;
}

/** Reads a whole file. */
export async function readAll(
  content: string | Uint8Array,
  { chunkBytes, ...options }: CsvOptions & { chunkBytes?: number } = {},
): Promise<ReadFile> {
  const opened = await readCsv(chunked(content, chunkBytes), options);
  if (!opened.ok) return { header: [], delimiter: '', records: [], rejected: [], fault: opened.issue };
  const records: { line: number; cells: readonly string[] }[] = [];
  const rejected: RejectedRecord[] = [];
  let fault: Issue | null = null;
  for await (const batch of opened.value.batches) {
    for (const [index, cells] of batch.cells.entries()) records.push({ line: batch.lines[index] ?? -1, cells });
    rejected.push(...batch.rejected);
    fault = batch.fault;
  }
  return { header: opened.value.header, delimiter: opened.value.delimiter, records, rejected, fault };
}
