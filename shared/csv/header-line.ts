// Where the header stands and what separates the cells, found before any record is read.
import { FileFault } from './file-fault.ts';
import { lineBreaksIn } from './line-breaks.ts';

export type Delimiter = ',' | ';' | '\t';

export interface HeaderPlace {
  /** Bytes in front of the header: blank lines and Excel's `sep=` line. */
  readonly offset: number;
  /** 1-based line of the file. */
  readonly line: number;
  readonly delimiter: Delimiter;
}

const quote = 0x22;
const delimiters: readonly Delimiter[] = [',', ';', '\t'];

/**
 * The header's place in the first bytes of a text; undefined where more bytes are needed to tell, null where the text
 * ends without one. `final` says that no more bytes follow.
 */
export function findHeader(bytes: Buffer, final: boolean): HeaderPlace | undefined | null {
  let offset = 0;
  let line = 1;
  let announced: Delimiter | undefined;
  for (;;) {
    const end = lineEnd(bytes, offset, final);
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

/** Where the text of this line ends and the next begins; line ends inside quotes do not count. */
function lineEnd(bytes: Buffer, from: number, final: boolean): { text: number; next: number } | undefined {
  let quoted = false;
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) quoted = !quoted;
    if (quoted || (byte !== 10 && byte !== 13)) continue;
    const width = byte === 13 && bytes[index + 1] === 10 ? 2 : 1;
    return { text: index, next: index + width };
  }
  return final ? { text: bytes.length, next: bytes.length } : undefined;
}

/** The one of the three that stands most often outside quotes; a comma where there is only one cell. */
function likelyDelimiter(header: string, line: number): Delimiter {
  const open = header.replace(/"[^"]*"/g, '');
  const counted = delimiters.map((delimiter) => ({ delimiter, count: open.split(delimiter).length - 1 }));
  const best = counted.reduce((most, next) => (next.count > most.count ? next : most));
  if (best.count === 0 && open.includes('|')) {
    throw new FileFault('FILE_NOT_CSV', 'the cells are separated by "|": use a comma, a semicolon or a tab', line);
  }
  return best.delimiter;
}
