// Reads a CSV from a stream: its header, then its records in batches.

import { type Issue, notice } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import { withFirst } from '#shared/text/first-bytes.ts';
import { counted, oneLine, truncate } from '#shared/text/wording.ts';
import { BatchBuilder, type SeveralLines, type ShortRows } from './batch-builder.ts';
import { unguardFormula } from './csv-row.ts';
import { decodeText, endOf, FileError, lineBreaksIn, type TextEnd, UndecodableBytes } from './decode-text.ts';
import {
  type CsvOptions,
  type Delimiter,
  delimiters,
  mostColumns,
  type OpenedCsv,
  type RecordBatch,
} from './record-batch.ts';
import { RecordScanner } from './record-scanner.ts';

const quote = 0x22;

// Reads a CSV file from a stream of bytes.

const defaultMaxRecordBytes = 256 * 1024;
/** Bounds a batch, whatever the chunks of the source. */
const sliceBytes = 64 * 1024;

/**
 * Reads up to the header; the records follow as they are asked for. UTF-8, UTF-16 with a byte order mark, or
 * Windows-1252 where the file can be nothing else; `,` `;` tab or `|`. Memory is bounded by `maxRecordBytes` and one
 * chunk of the source. A fault of the file is returned as an issue, and so is a fault of a record; only errors of
 * `source` itself are thrown.
 */
export async function readCsv(source: AsyncIterable<Uint8Array>, options: CsvOptions = {}): Promise<OpenedCsv> {
  const maxRecordBytes = options.maxRecordBytes ?? defaultMaxRecordBytes;
  const converted = new ConvertedCharacters();
  const decoded = decodeText(source, { encoding: options.encoding, onWindows1252: (text) => converted.add(text) });
  const slices = inSlices(decoded);
  try {
    const { place, bytes } = await readToHeader(slices, maxRecordBytes, options);
    const scanner = new RecordScanner({
      delimiter: place.delimiter,
      firstLine: place.line,
      maxRecordBytes,
      isSheet: options.rowOfLine !== undefined,
    });
    await loadParserFor(bytes, scanner);
    const batches = scanRecords(scanner, bytes, slices);
    const first = await batches.next();
    if (scanner.header === undefined) throw toFileError(first.value?.fault);
    checkColumns(scanner.header, place.line);
    const contents = {
      header: scanner.header.map(unguardFormula),
      headerLine: place.line,
      delimiter: place.delimiter,
      batches: withFirst(first.value, batches),
      notices: () => [
        ...titleNotices(place),
        ...converted.notices(),
        ...(scanner.severalLines ? severalLinesNotice(scanner.severalLines) : []),
        ...shortRowsNotice(scanner.shortRows),
      ],
      close: async () => {
        await batches.return(undefined);
      },
    };
    return { ok: true, value: contents };
  } catch (fault) {
    await slices.return(undefined);
    return { ok: false, issue: issueOf(fault) };
  }
}

async function readToHeader(slices: AsyncGenerator<Buffer, undefined>, maxRecordBytes: number, search: CsvOptions) {
  let bytes: Buffer = Buffer.alloc(0);
  let place: HeaderPlace | null | undefined;
  for (let last = false; place === undefined && !last; ) {
    const next = await slices.next().catch((fault: unknown) => {
      throw withLine(fault, endOf(bytes, 1));
    });
    last = next.done === true;
    if (next.value !== undefined) bytes = Buffer.concat([bytes, next.value]);
    place = findHeader(bytes, last || bytes.length > maxRecordBytes ? 'end' : 'more', search);
  }
  if (place === undefined || place === null) throw noHeader(search);
  return { place, bytes: bytes.subarray(place.offset) };
}

function checkColumns({ length }: readonly string[], line: number): void {
  if (length <= mostColumns) return;
  const message = `the header has ${length} columns, the limit is ${mostColumns}: remove what is beside the table`;
  throw new FileError('FILE_TOO_LARGE', message, line);
}

const noHeader = ({ headerLine }: CsvOptions): FileError =>
  headerLine === undefined
    ? new FileError('FILE_EMPTY', 'the file is empty')
    : new FileError('FILE_SETTING_INVALID', `the header cannot be on line ${headerLine}: the file has no text there`);

const shownTitles = 3;

function titleNotices({ titles, line }: HeaderPlace): Issue[] {
  if (titles.length === 0) return [];
  const shown = titles.slice(0, shownTitles).map((title) => `"${truncate(oneLine(redactText(title)), 60)}"`);
  const rows = counted(titles.length, 'row');
  const more = titles.length > shownTitles ? ', …' : '';
  const message =
    `the header is on line ${line}: ${rows} above it ${titles.length === 1 ? 'was' : 'were'} not read ` +
    `(${shown.join(', ')}${more}). If another line is the header, name it: --header-row LINE`;
  return [{ line, column: null, ...notice('HEADER_BELOW_OTHER_ROWS', message) }];
}

/** Their cells have line breaks, so the lines of the file are more than its rows. */
function severalLinesNotice({ count, first }: SeveralLines): Issue[] {
  const [row] = first;
  if (row === undefined) return [];
  const shown = first.map(({ from, to }) => `${from} to ${to}`).join(', ');
  const more = count > first.length ? `, and ${counted(count - first.length, 'other')}` : '';
  const have = `${counted(count, 'row')} ${count === 1 ? 'has' : 'have'} a cell with line breaks in quotes`;
  const message = `${have}: lines ${shown}${more}. If these are several rows, a quote is out of place`;
  return [{ line: row.from, column: null, ...notice('RECORD_OF_SEVERAL_LINES', message) }];
}

function shortRowsNotice({ count, firstLine }: ShortRows): Issue[] {
  if (count === 0) return [];
  const rows = `${counted(count, 'row')} from line ${firstLine} on ${count === 1 ? 'ends' : 'end'}`;
  const message = `${rows} before the last columns, as Excel writes empty cells there: they were read as empty`;
  return [{ line: firstLine, column: null, ...notice('RECORD_LAST_CELLS_EMPTY', message) }];
}

/** csv-parse is loaded only for a file with quotes: most files have none, and a cold start is faster without it. */
async function loadParserFor(bytes: Buffer, scanner: RecordScanner): Promise<void> {
  if (scanner.recordParser === undefined && bytes.includes(quote))
    scanner.recordParser = await import('./parse-record.ts');
}

/** Batches with content, up to the end or the first fault. */
async function* scanRecords(
  scanner: RecordScanner,
  bytes: Buffer,
  slices: AsyncGenerator<Buffer, undefined>,
): AsyncGenerator<RecordBatch, undefined> {
  try {
    let batch = scanner.feed(bytes);
    for (let last = false; !last && batch.fault === null; ) {
      if (batch.lines.length > 0) yield batch;
      const next = await slices.next();
      last = next.done === true;
      if (next.value !== undefined) await loadParserFor(next.value, scanner);
      batch = next.value === undefined ? scanner.finish() : scanner.feed(next.value);
    }
    if (batch.lines.length > 0 || batch.fault !== null) yield batch;
  } catch (fault) {
    yield faultBatch(issueOf(withLine(fault, scanner.end)));
  } finally {
    await slices.return(undefined);
  }
}

function faultBatch(issue: Issue): RecordBatch {
  const builder = new BatchBuilder(',');
  builder.fault = issue;
  return builder.take();
}

async function* inSlices(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += sliceBytes) yield chunk.subarray(start, start + sliceBytes);
  }
}

const toFileError = (issue: Issue | null | undefined): FileError =>
  issue ? new FileError(issue.code, issue.message, issue.line) : new FileError('FILE_EMPTY', 'the file is empty');

/** The lines are counted only now, because only a fault needs them. */
const withLine = (fault: unknown, end: TextEnd): unknown =>
  fault instanceof UndecodableBytes ? fault.after(end) : fault;

/** The issue of a FileError; anything else is an error of the source. */
function issueOf(fault: unknown): Issue {
  if (fault instanceof FileError) return fault.issue;
  throw fault;
}

const shownCharacters = 20;

/** Those that were read as Windows-1252, so that a person can see whether that was right. */
class ConvertedCharacters {
  readonly #found = new Set<string>();

  add(text: string): void {
    if (this.#found.size >= shownCharacters) return;
    for (const [character] of text.matchAll(/[^\0-\x7f]/g)) this.#found.add(character);
  }

  notices(): Issue[] {
    if (this.#found.size === 0) return [];
    const shown = [...this.#found].slice(0, shownCharacters).join(' ');
    const message =
      `the file is not UTF-8, so it was read as Windows-1252, with the characters ${shown}. ` +
      'If they are wrong, save the file as "CSV UTF-8" or name its encoding: --encoding NAME';
    return [{ line: 0, column: null, ...notice('FILE_ENCODING_DETECTED', message) }];
  }
}

// Finds the header and the delimiter in the first bytes of a text.

interface HeaderPlace {
  /** Bytes before the header: blank lines, title rows and Excel's `sep=` line. */
  readonly offset: number;
  /** 1-based line of the file. */
  readonly line: number;
  readonly delimiter: Delimiter;
  /** The texts of the rows above the header. */
  readonly titles: readonly string[];
}

export interface HeaderSearch {
  readonly headerLine?: number | undefined;
  /** The row of a workbook that begins on a line. */
  readonly rowOfLine?: ((line: number) => number) | undefined;
  readonly delimiter?: Delimiter | undefined;
  readonly isHeader?: ((cells: readonly string[]) => boolean) | undefined;
}
/** Rows that are not blank, in which a header is searched. */
const searchedRows = 40;

interface Candidate extends Omit<HeaderPlace, 'titles'> {
  readonly text: string;
}

/**
 * undefined: more bytes are needed. null: the text ends without a header. The first row that `isHeader` recognises is
 * the header; if it recognises none, it is the first row that is not blank.
 * @param end no more bytes follow, or no more should be read
 */
function findHeader(bytes: Buffer, end: 'end' | 'more', search: HeaderSearch = {}): HeaderPlace | undefined | null {
  const { headerLine, isHeader = () => true, rowOfLine = (line) => line } = search;
  const above: Candidate[] = [];
  for (const candidate of candidatesIn(bytes, end, search)) {
    if (candidate === undefined) return undefined;
    const isFound = headerLine === undefined ? isHeader(namesIn(candidate)) : rowOfLine(candidate.line) >= headerLine;
    if (isFound) return { ...candidate, titles: above.map(({ text }) => text) };
    above.push(candidate);
    if (headerLine === undefined && above.length >= searchedRows) break;
  }
  const [first] = above;
  return first === undefined || headerLine !== undefined ? null : { ...first, titles: [] };
}

/** The names in a row, as far as its quotes are in order: enough to recognise a header. */
const namesIn = ({ delimiter, text }: Candidate): string[] =>
  (text.match(new RegExp(`"(?:[^"]|"")*"|[^${delimiter}]+`, 'g')) ?? []).map((cell) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );

/** The rows that are not blank; undefined where more bytes are needed. */
function* candidatesIn(
  bytes: Buffer,
  isEnd: 'end' | 'more',
  { delimiter }: HeaderSearch,
): Generator<Candidate | undefined> {
  let offset = 0;
  let line = 1;
  let announced: Delimiter | undefined;
  while (offset < bytes.length) {
    const end = lineEnd(bytes, offset, isEnd);
    if (end === undefined) yield undefined;
    if (end === undefined) return;
    const text = bytes.toString('utf8', offset, end.text);
    const separator = /^"?sep=([,;\t|])"?$/i.exec(text.trim())?.[1] as Delimiter | undefined;
    if (separator === undefined && /[^\s,;|]/.test(text)) {
      yield { offset, line, text, delimiter: delimiter ?? announced ?? likelyDelimiter(text) };
    }
    announced = separator ?? announced;
    line += 1 + lineBreaksIn(text);
    offset = end.next;
  }
  if (isEnd === 'more') yield undefined;
}

/** Where the text of this line ends and the next line begins. Line ends inside quotes do not count. */
function lineEnd(bytes: Buffer, from: number, end: 'end' | 'more'): { text: number; next: number } | undefined {
  let quoted = false;
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) quoted = !quoted;
    if (quoted || (byte !== 10 && byte !== 13)) continue;
    const width = byte === 13 && bytes[index + 1] === 10 ? 2 : 1;
    return { text: index, next: index + width };
  }
  return end === 'end' ? { text: bytes.length, next: bytes.length } : undefined;
}

/** The delimiter that is most frequent outside quotes; a comma when there is only one cell. */
function likelyDelimiter(header: string): Delimiter {
  const unquoted = header.replace(/"[^"]*"/g, '');
  const counts = delimiters.map((delimiter) => ({ delimiter, count: unquoted.split(delimiter).length - 1 }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).delimiter;
}
