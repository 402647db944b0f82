// CSV files for tests: bytes in chunks of any size, and everything that reading them returns.
import { readCsv } from '#shared/files/csv/read-csv.ts';
import type { CsvOptions } from '#shared/files/csv/record-batch.ts';
import type { Issue } from '#shared/row/issue.ts';

/** The bytes of `content` in chunks of `chunkBytes`; `onChunk` is called before each chunk. */
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
 * A header and a first record longer than the bytes that detect the encoding: what follows reaches every part of the
 * reader in its original chunks.
 */
export const longStart = `a,b\n1,${'x'.repeat(1200)}\n`;

export interface RejectedRecord {
  readonly line: number;
  readonly cells: readonly string[];
  readonly issue: Issue;
}

export interface ReadFile {
  readonly header: readonly string[];
  readonly delimiter: string;
  readonly records: readonly { readonly line: number; readonly cells: readonly string[] }[];
  readonly rejected: readonly RejectedRecord[];
  /** The fault of the file, in any of its parts. */
  readonly fault: Issue | null;
  readonly notices: readonly Issue[];
}

/** Reads a whole file. */
export async function readAll(
  content: string | Uint8Array,
  { chunkBytes, ...options }: CsvOptions & { chunkBytes?: number } = {},
): Promise<ReadFile> {
  const opened = await readCsv(chunked(content, chunkBytes), options);
  if (!opened.ok) return { header: [], delimiter: '', records: [], rejected: [], fault: opened.issue, notices: [] };
  const records: { line: number; cells: readonly string[] }[] = [];
  const rejected: RejectedRecord[] = [];
  let fault: Issue | null = null;
  for await (const batch of opened.value.batches) {
    for (const [index, line] of batch.lines.entries()) {
      const issue = batch.rejected.get(index);
      const record = { line, cells: batch.cellsOf(index) };
      if (issue === undefined) records.push(record);
      else rejected.push({ ...record, issue });
    }
    fault = batch.fault;
  }
  const { header, delimiter } = opened.value;
  return { header, delimiter, records, rejected, fault, notices: opened.value.notices() };
}
