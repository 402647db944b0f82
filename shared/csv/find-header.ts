// Finds the header and the delimiter in the first bytes of a text.
import { lineBreaksIn } from './count-lines.ts';
import { type Delimiter, delimiters } from './delimiter.ts';

export interface HeaderPlace {
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
  /** Of a workbook: the row that begins on a line. */
  readonly rowOfLine?: ((line: number) => number) | undefined;
  readonly delimiter?: Delimiter | undefined;
  readonly isHeader?: ((cells: readonly string[]) => boolean) | undefined;
}

const quote = 0x22;
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
export function findHeader(
  bytes: Buffer,
  end: 'end' | 'more',
  search: HeaderSearch = {},
): HeaderPlace | undefined | null {
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
