// The findings about rows: those of some lines, and all of them in groups. issues.ndjson is in file order, so the first
// finding about a line is found with a few small reads.

import type { ImportItem } from '#shared/import/import.ts';
import type { ResultFiles } from '#shared/read-models/sources.ts';
import type { Issue, IssueCode } from '#shared/row/issue.ts';
import { splitLines } from '#shared/store/files/json-lines.ts';
import { issuesKey } from '#shared/store/object-keys.ts';
import { issueAnswer } from './answers.ts';

/** A search ends when this many bytes are left, which are read from the start. */
const probeBytes = 64 * 1024;

/**
 * In file order, from the first finding about `line` or a later one; those kept with an import that was rejected before
 * its rows were read.
 */
export async function* readIssues({ resources, files }: ResultFiles, item: ImportItem, line = 0): AsyncIterable<Issue> {
  const ref = { bucket: resources.resultsBucket, key: issuesKey(item.importId) };
  const head = await files.head(ref);
  if (head === undefined) {
    yield* item.issues.filter((issue) => issue.line >= line);
    return;
  }
  const start = line <= 1 ? 0 : await findStart(files, { ...ref, etag: head.etag, bytes: head.bytes }, line);
  if (start >= head.bytes) return;
  for await (const text of splitLines(await files.read(ref, { start, end: head.bytes }))) {
    const issue = issueAnswer.parse(JSON.parse(text));
    if (issue.line >= line) yield issue;
  }
}

interface SearchedFile {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  readonly bytes: number;
}

/** A byte at which a finding begins, and behind which are all findings about `line` and later ones. */
async function findStart(files: ResultFiles['files'], file: SearchedFile, line: number): Promise<number> {
  let low = 0;
  let high = file.bytes;
  while (high - low > probeBytes) {
    const middle = Math.floor((low + high) / 2);
    const found = await firstIssueBehind(files, file, middle);
    if (found === undefined || found.line >= line) high = middle;
    else low = found.start;
  }
  return low;
}

/** The first finding that begins behind this byte. */
async function firstIssueBehind(files: ResultFiles['files'], file: SearchedFile, byte: number) {
  const { bucket, key, etag } = file;
  const range = { start: byte, end: Math.min(file.bytes, byte + probeBytes) };
  const bytes = Buffer.concat(await Array.fromAsync(await files.read({ bucket, key, etag }, range)));
  const begin = bytes.indexOf('\n') + 1;
  const end = bytes.indexOf('\n', begin);
  if (begin === 0 || end < 0) return undefined;
  return { start: byte + begin, line: issueAnswer.parse(JSON.parse(bytes.toString('utf8', begin, end))).line };
}

/** The findings of these lines, which are ascending. */
export async function readIssuesOf(
  sources: ResultFiles,
  item: ImportItem,
  lines: readonly number[],
): Promise<ReadonlyMap<number, readonly Issue[]>> {
  const [first, last] = [lines[0], lines.at(-1)];
  const wanted = new Set(lines);
  const found = new Map<number, Issue[]>();
  if (first === undefined || last === undefined) return found;
  for await (const issue of readIssues(sources, item, first)) {
    if (issue.line > last) break;
    if (!wanted.has(issue.line)) continue;
    const ofLine = found.get(issue.line);
    if (ofLine === undefined) found.set(issue.line, [issue]);
    else ofLine.push(issue);
  }
  return found;
}

export interface IssueFilter {
  readonly codes?: readonly IssueCode[] | undefined;
  readonly column?: string | undefined;
}

/** The lines behind `afterLine` with such a finding, ascending, at most `limit`. */
export async function findLinesWithIssue(
  sources: ResultFiles,
  item: ImportItem,
  { codes, column, afterLine, limit }: IssueFilter & { readonly afterLine: number; readonly limit: number },
): Promise<number[]> {
  const lines: number[] = [];
  for await (const issue of readIssues(sources, item, afterLine + 1)) {
    if (codes !== undefined && !codes.includes(issue.code)) continue;
    if (column !== undefined && issue.column !== column) continue;
    if (issue.line > 0 && lines.at(-1) !== issue.line) lines.push(issue.line);
    if (lines.length >= limit) break;
  }
  return lines;
}
