// Reads the findings about rows from issues.ndjson, which has them in file order but for its last ones, which are known
// once all rows are read. The first finding about a line is found with few small reads.
import * as z from 'zod/mini';
import { type ImportItem, issueItem } from '#shared/import/import.ts';
import type { Issue, IssueCode } from '#shared/row/issue.ts';
import type { ResultFiles } from '#shared/store/account.ts';
import { bytesOf, splitLines } from '#shared/store/files.ts';
import { issuesKey } from '#shared/store/object-keys.ts';

/** What a cell names that no list of the service has is only in the file. */
const storedIssue = z.extend(issueItem, { unknownValue: z.optional(z.string()) });

/** A search ends when this many bytes are left, which are read from the start. More than the last findings have. */
const probeBytes = 64 * 1024;

/**
 * In the order of their lines, from the first finding about `line` or a later one; those kept with an import that was
 * rejected before its rows were read.
 */
export async function* readIssues({ resources, files }: ResultFiles, item: ImportItem, line = 0): AsyncIterable<Issue> {
  const ref = { bucket: resources.resultsBucket, key: issuesKey(item) };
  const head = await files.head(ref);
  if (head === undefined) {
    yield* item.issues.filter((issue) => issue.line >= line);
    return;
  }
  if (head.bytes === 0) return;
  const file = { ...ref, etag: head.etag, bytes: head.bytes };
  const tail = await readTail(files, file);
  const waiting = tail.late.filter((issue) => issue.line >= line);
  for await (const issue of readFileOrder(files, file, tail, line)) {
    if (issue.line < line) continue;
    while ((waiting[0]?.line ?? Number.POSITIVE_INFINITY) < issue.line) yield waiting.shift() as Issue;
    yield issue;
  }
  yield* waiting;
}

interface SearchedFile {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  readonly bytes: number;
}

/** The last bytes of the file. */
interface Tail {
  /** The byte at which its first finding begins. */
  readonly start: number;
  /** Its findings in file order. */
  readonly inOrder: readonly Issue[];
  /** The last findings, about earlier lines than those before, in the order of their lines. */
  readonly late: readonly Issue[];
}

async function readTail(files: ResultFiles['files'], { bytes: size, ...ref }: SearchedFile): Promise<Tail> {
  const from = Math.max(0, size - probeBytes);
  const bytes = await bytesOf(files.read(ref, { start: from, end: size }));
  const begin = from === 0 ? 0 : bytes.indexOf('\n') + 1 || bytes.length;
  const [inOrder, late]: [Issue[], Issue[]] = [[], []];
  for await (const text of splitLines([bytes.subarray(begin)])) {
    const issue: Issue = storedIssue.parse(JSON.parse(text));
    const isLate = late.length > 0 || issue.line < (inOrder.at(-1)?.line ?? 0);
    (isLate ? late : inOrder).push(issue);
  }
  return { start: from + begin, inOrder, late: late.sort((one, other) => one.line - other.line) };
}

/** The findings in file order; those before the tail from a byte behind which are all about `line` and later ones. */
async function* readFileOrder(
  files: ResultFiles['files'],
  file: SearchedFile,
  { start: end, inOrder }: Tail,
  line: number,
): AsyncIterable<Issue> {
  const isInTail = inOrder[0] !== undefined && inOrder[0].line < line;
  const start = isInTail ? end : line <= 1 ? 0 : await findStart(files, { ...file, bytes: end }, line);
  const { bucket, key, etag } = file;
  for await (const text of start < end ? splitLines(await files.read({ bucket, key, etag }, { start, end })) : [])
    yield storedIssue.parse(JSON.parse(text));
  yield* inOrder;
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
  const bytes = await bytesOf(files.read({ bucket, key, etag }, range));
  const begin = bytes.indexOf('\n') + 1;
  const end = bytes.indexOf('\n', begin);
  if (begin === 0 || end < 0) return undefined;
  return { start: byte + begin, line: storedIssue.parse(JSON.parse(bytes.toString('utf8', begin, end))).line };
}

/** The findings of these lines, which are ascending. */
export async function readIssuesOf(
  reader: ResultFiles,
  item: ImportItem,
  lines: readonly number[],
): Promise<ReadonlyMap<number, readonly Issue[]>> {
  const [first, last] = [lines[0], lines.at(-1)];
  const wanted = new Set(lines);
  const found = new Map<number, Issue[]>();
  if (first === undefined || last === undefined) return found;
  for await (const issue of readIssues(reader, item, first)) {
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
  reader: ResultFiles,
  item: ImportItem,
  { codes, column, afterLine, limit }: IssueFilter & { readonly afterLine: number; readonly limit: number },
): Promise<number[]> {
  const lines: number[] = [];
  for await (const issue of readIssues(reader, item, afterLine + 1)) {
    if (codes !== undefined && !codes.includes(issue.code)) continue;
    if (column !== undefined && issue.column !== column) continue;
    if (issue.line > 0 && lines.at(-1) !== issue.line) lines.push(issue.line);
    if (lines.length >= limit) break;
  }
  return lines;
}
