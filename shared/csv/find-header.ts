// Finds the header and the delimiter in the first bytes of a text.
import { lineBreaksIn } from './count-lines.ts';
import { FileError } from './file-error.ts';

export type Delimiter = ',' | ';' | '\t';

export interface HeaderPlace {
  /** Bytes before the header: blank lines and Excel's `sep=` line. */
  readonly offset: number;
  /** 1-based line of the file. */
  readonly line: number;
  readonly delimiter: Delimiter;
}

type Following = 'more' | 'nothing';

const quote = 0x22;
const delimiters: readonly Delimiter[] = [',', ';', '\t'];

/**
 * undefined: more bytes are needed. null: the text ends without a header.
 * @param following whether more bytes of the text follow
 */
export function findHeader(bytes: Buffer, following: Following): HeaderPlace | undefined | null {
  let offset = 0;
  let line = 1;
  let announced: Delimiter | undefined;
  for (;;) {
    const end = lineEnd(bytes, offset, following);
    if (end === undefined) return undefined;
    if (offset >= bytes.length) return null;
    const text = bytes.toString('utf8', offset, end.text);
    const separator = /^"?sep=([,;\t])"?$/i.exec(text.trim())?.[1];
    if (separator === undefined && /[^\s,;]/.test(text)) {
      return { offset, line, delimiter: announced ?? likelyDelimiter(text, line) };
    }
    announced = (separator as Delimiter | undefined) ?? announced;
    line += 1 + lineBreaksIn(text);
    offset = end.next;
  }
}

/** Where the text of this line ends and the next line begins. Line ends inside quotes do not count. */
function lineEnd(bytes: Buffer, from: number, following: Following): { text: number; next: number } | undefined {
  let quoted = false;
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) quoted = !quoted;
    if (quoted || (byte !== 10 && byte !== 13)) continue;
    const width = byte === 13 && bytes[index + 1] === 10 ? 2 : 1;
    return { text: index, next: index + width };
  }
  return following === 'nothing' ? { text: bytes.length, next: bytes.length } : undefined;
}

/** The delimiter that is most frequent outside quotes; a comma when there is only one cell. */
function likelyDelimiter(header: string, line: number): Delimiter {
  const unquoted = header.replace(/"[^"]*"/g, '');
  const counts = delimiters.map((delimiter) => ({ delimiter, count: unquoted.split(delimiter).length - 1 }));
  const best = counts.reduce((most, next) => (next.count > most.count ? next : most));
  if (best.count === 0 && unquoted.includes('|')) {
    throw new FileError('FILE_NOT_CSV', 'the cells are separated by "|": use a comma, a semicolon or a tab', line);
  }
  return best.delimiter;
}
