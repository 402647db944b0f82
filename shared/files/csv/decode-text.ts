// Decodes a stream of bytes to UTF-8, however it is chunked. Nothing is replaced by U+FFFD: a byte that is not valid in
// the encoding ends the reading, and the error names its line.
import { isAscii, isUtf8 } from 'node:buffer';
import { errorAt, type Issue, type IssueCode } from '#shared/row/issue.ts';

/**
 * The bytes after those that were yielded are not valid in the encoding of the file. The reader of the earlier bytes
 * knows the line.
 */
export class UndecodableBytes extends Error {
  override readonly name = 'UndecodableBytes';
  readonly #bytes: Buffer;
  readonly #decoding: Decoding;

  constructor(bytes: Buffer, decoding: Decoding) {
    super(`not ${decoding.name}`);
    this.#bytes = bytes;
    this.#decoding = decoding;
  }

  /** @param end of what was yielded */
  after(end: TextEnd): FileError {
    return locateError(this.#bytes, this.#decoding, end);
  }
}

export interface DecodeOptions {
  /** @default - UTF-8, or what the byte order mark states; Windows-1252 where the file can be nothing else */
  readonly encoding?: EncodingName | undefined;
  /** Receives each piece of text that was read as Windows-1252 because no other encoding fits. */
  readonly onWindows1252?: (text: string) => void;
}

/**
 * Yields the text without its byte order mark, cut between characters.
 * @throws UndecodableBytes, or FileError for the first bytes (`FILE_NOT_CSV`, `FILE_ENCODING`)
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncGenerator<Buffer> {
  let decoder: ChunkDecoder | undefined;
  for await (const chunk of withHead(source)) {
    const isFirst = decoder === undefined;
    decoder ??= new ChunkDecoder(chunk, options);
    const text = decoder.decode(isFirst ? chunk.subarray(decoder.markLength) : chunk);
    if (text.length > 0) yield text;
  }
  const last = decoder?.finish();
  if (last !== undefined && last.length > 0) yield last;
}

class ChunkDecoder {
  readonly markLength: number;
  readonly #onWindows1252: (text: string) => void;
  /** The encoding may turn out to be Windows-1252 as long as all bytes so far were ASCII. */
  #mayChange: boolean;
  /** The first character beyond ASCII shows whether a file that is named Windows-1252 is UTF-8. */
  #mayBeUtf8: boolean;
  #decoding: Decoding;
  #pending: Buffer = Buffer.alloc(0);

  constructor(head: Buffer, { encoding, onWindows1252 = () => {} }: DecodeOptions) {
    const { name, markLength } = detectEncoding(head, encoding);
    this.markLength = markLength;
    this.#onWindows1252 = onWindows1252;
    this.#mayBeUtf8 = encoding === 'windows-1252';
    this.#mayChange = encoding === undefined && name === 'utf-8' && markLength === 0;
    this.#decoding = name === 'utf-8' ? utf8 : name === 'windows-1252' ? windows1252 : utf16(name);
  }

  decode(chunk: Buffer): Buffer {
    this.#pending = join(this.#pending, chunk);
    const { wholeLength } = this.#mayBeUtf8 ? utf8 : this.#decoding;
    return this.#take(wholeLength(this.#pending), 'before the end');
  }

  finish(): Buffer {
    return this.#take(this.#pending.length, 'end');
  }

  #take(length: number, place: 'end' | 'before the end'): Buffer {
    const bytes = this.#pending.subarray(0, length);
    const text = this.#toUtf8(bytes, place);
    if (text === undefined) throw new UndecodableBytes(bytes, this.#decoding);
    this.#pending = this.#pending.subarray(length);
    return text;
  }

  #toUtf8(bytes: Buffer, place: 'end' | 'before the end'): Buffer | undefined {
    if (this.#mayBeUtf8 && !isAscii(bytes)) {
      if (startsUtf8.test(bytes.toString('latin1'))) throw contradiction('utf-8', 'windows-1252');
      this.#mayBeUtf8 = false;
    }
    if (!this.#mayChange) return this.#decoding.toUtf8(bytes);
    if (isAscii(bytes)) return bytes;
    const isStillUtf8 = isUtf8(bytes);
    if (isStillUtf8 && this.#decoding === utf8) {
      this.#mayChange = false;
      return bytes;
    }
    // From the first byte that is not UTF-8 on, all bytes must be Windows-1252 for certain.
    const text = decodeWindows1252ForCertain(bytes, place);
    if (text === undefined) return undefined;
    this.#decoding = certainWindows1252;
    this.#onWindows1252(text);
    return Buffer.from(text);
  }
}

interface Decoding {
  readonly name: string;
  /** How many of these bytes end with a whole character. */
  wholeLength(bytes: Buffer): number;
  /** undefined: the bytes are not of this encoding. */
  toUtf8(bytes: Buffer): Buffer | undefined;
  /** Bytes of the character that begins at `index`, valid or not. */
  characterLength(bytes: Buffer, index: number): number;
}

const utf8: Decoding = {
  name: 'UTF-8',
  wholeLength(bytes) {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes[bytes.length - back] ?? 0;
      if (byte < 0x80) return bytes.length;
      if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
    }
    return bytes.length;
  },
  toUtf8: (bytes) => (isUtf8(bytes) ? bytes : undefined),
  characterLength: (bytes, index) => sequenceLength(bytes[index] ?? 0),
};

const windows1252: Decoding = {
  name: 'Windows-1252',
  wholeLength: (bytes) => bytes.length,
  toUtf8: (bytes) => {
    const text = decodeWindows1252(bytes);
    return text === undefined ? undefined : Buffer.from(text);
  },
  characterLength: () => 1,
};

/** Its error names the byte that is not UTF-8: saving the file as UTF-8 solves every such problem. */
const certainWindows1252: Decoding = { ...windows1252, name: utf8.name, toUtf8: utf8.toUtf8 };

const sequenceLength = (lead: number): number => (lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);

function utf16(name: 'utf-16le' | 'utf-16be'): Decoding {
  const unit = (bytes: Buffer, index: number) =>
    name === 'utf-16le' ? bytes.readUInt16LE(index) : bytes.readUInt16BE(index);
  const isHighSurrogate = (bytes: Buffer, index: number) => (unit(bytes, index) & 0xfc00) === 0xd800;
  return {
    name: name.toUpperCase(),
    wholeLength(bytes) {
      const even = bytes.length - (bytes.length % 2);
      return even >= 2 && isHighSurrogate(bytes, even - 2) ? even - 2 : even;
    },
    toUtf8(bytes) {
      try {
        return Buffer.from(new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes));
      } catch {
        return undefined;
      }
    },
    characterLength: (bytes, index) => (index + 2 <= bytes.length && isHighSurrogate(bytes, index) ? 4 : 2),
  };
}

/** Goes through the characters of the chunk that failed to the first invalid one: slow, but only once per file. */
function locateError(bytes: Buffer, decoding: Decoding, before: TextEnd): FileError {
  const lines = createLineCounter(before);
  let { line } = before;
  for (let index = 0; index < bytes.length; ) {
    const length = decoding.characterLength(bytes, index);
    const text = decoding.toUtf8(bytes.subarray(index, index + length));
    if (text === undefined)
      return new FileError('FILE_ENCODING', explain(decoding.name, line, bytes[index] ?? 0), line);
    line += lines.count(text);
    index += length;
  }
  return new FileError('FILE_ENCODING', `line ${line} breaks off in the middle of a character`, line);
}

function explain(encoding: string, line: number, byte: number): string {
  if (encoding !== utf8.name) return `line ${line} is not ${encoding}: save the file as UTF-8`;
  const hex = byte.toString(16).toUpperCase().padStart(2, '0');
  const likely = new TextDecoder('windows-1252').decode(Uint8Array.of(byte));
  const problem = `line ${line} has the byte ${hex}, which is "${likely}" in Windows-1252 and nothing in UTF-8`;
  return `${problem}: save the file as "CSV UTF-8", or name its encoding: --encoding windows-1252`;
}

/** The same bytes as buffers; the first chunk is long enough to detect the encoding. */
async function* withHead(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head === undefined) {
      if (chunk.length > 0) yield asBuffer(chunk);
      continue;
    }
    head = join(head, asBuffer(chunk));
    if (head.length < headLength) continue;
    yield head;
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head;
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const join = (one: Buffer, other: Buffer): Buffer => (one.length === 0 ? other : Buffer.concat([one, other]));

/** Five bytes have no character in Windows-1252, in which spreadsheet programs save "CSV" on Windows. */
const undefinedBytes = /[\x81\x8d\x8f\x90\x9d]/;
/** Two or more bytes that are one character of UTF-8: in Windows-1252 they would be garbage such as "Ã©". */
const utf8Sequence = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/** The first bytes beyond ASCII are one. */
const startsUtf8 = new RegExp(`^[\\x00-\\x7f]*(?:${utf8Sequence.source})`);

/** undefined: a byte has no character in Windows-1252. */
function decodeWindows1252(bytes: Buffer): string | undefined {
  if (undefinedBytes.test(bytes.toString('latin1'))) return undefined;
  return new TextDecoder('windows-1252').decode(bytes);
}

/** Behind the end of a file, the rest of a character of UTF-8 may be missing. */
const cutSequence = /[\xc2-\xf4][\x80-\xbf]*$/;

/** undefined: the bytes may be something else. @param place where in the file the bytes are */
function decodeWindows1252ForCertain(bytes: Buffer, place: 'end' | 'before the end'): string | undefined {
  const text = bytes.toString('latin1');
  const mayBeUtf8 = utf8Sequence.test(text) || (place === 'end' && cutSequence.test(text));
  return mayBeUtf8 ? undefined : decodeWindows1252(bytes);
}

// Detects by its first bytes whether a file is text, and in which encoding.

export const encodingNames = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type EncodingName = (typeof encodingNames)[number];

export interface Encoding {
  readonly name: EncodingName;
  /** Length of the byte order mark in bytes. */
  readonly markLength: number;
}

/** This many bytes are enough to decide. */
const headLength = 1024;

const saveAs = 'Save the table as .xlsx or as "CSV UTF-8"';
/** A workbook with a password is stored in the container of the old format. */
const oldOrEncryptedWorkbook =
  'an old Excel workbook (.xls) or one with a password. Save it as .xlsx without a password, or as "CSV UTF-8"';

const otherFormats: readonly (readonly [readonly number[], string])[] = [
  [[0x1f, 0x8b], 'a gzip archive: unpack it first'],
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive: unpack it first'],
  [[0x50, 0x4b, 0x05, 0x06], `an empty zip archive. ${saveAs}`],
  [[0xd0, 0xcf, 0x11, 0xe0], oldOrEncryptedWorkbook],
  [[0x25, 0x50, 0x44, 0x46], `a PDF document. ${saveAs}`],
  [[0x42, 0x5a, 0x68], 'a bzip2 archive: unpack it first'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a Zstandard archive: unpack it first'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'an xz archive: unpack it first'],
  [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], 'a 7-Zip archive: unpack it first'],
  [[0x50, 0x41, 0x52, 0x31], `a Parquet file. ${saveAs}`],
  [[0x89, 0x50, 0x4e, 0x47], `an image. ${saveAs}`],
  [[0xff, 0xd8, 0xff], `an image. ${saveAs}`],
];

/** The UTF-8 byte order mark, decoded as Windows-1252 and saved again. */
const savedMark = [0xc3, 0xaf, 0xc2, 0xbb, 0xc2, 0xbf];

const byteOrderMarks: readonly (readonly [readonly number[], Encoding['name']])[] = [
  [[0xef, 0xbb, 0xbf, ...savedMark], 'utf-8'],
  [savedMark, 'utf-8'],
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

const utf32Marks = [
  [0xff, 0xfe, 0x00, 0x00],
  [0x00, 0x00, 0xfe, 0xff],
];

/**
 * The encoding of the byte order mark, or UTF-8 without one.
 * @param given the encoding that the user named: the bytes must not contradict it, or codes in them look like others
 * @throws FileError when this is not a CSV file, or not of this encoding
 */
function detectEncoding(head: Uint8Array, given?: EncodingName): Encoding {
  const matches = ([bytes]: readonly [readonly number[], unknown]) => startsWith(head, bytes);
  const otherFormat = otherFormats.find(matches);
  if (otherFormat !== undefined) throw new FileError('FILE_NOT_CSV', `this is not a CSV file but ${otherFormat[1]}`);
  if (utf32Marks.some((bytes) => startsWith(head, bytes))) {
    throw new FileError('FILE_ENCODING', 'the file is UTF-32: save it as UTF-8', 1);
  }
  const mark = byteOrderMarks.find(matches);
  if (mark !== undefined && given !== undefined && mark[1] !== given) throw contradiction(mark[1], given);
  if (mark !== undefined) return { name: mark[1], markLength: mark[0].length };
  if (given?.startsWith('utf-16')) {
    const found = utf16Of(head);
    if (found !== given) throw contradiction(found ?? 'not UTF-16', given);
    return { name: given, markLength: 0 };
  }
  rejectBinary(head);
  if (given !== undefined) return { name: given, markLength: 0 };
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(Buffer.from(head.subarray(0, 64)).toString('latin1'))) {
    throw new FileError('FILE_NOT_CSV', `this is not a CSV file but a web page or an XML document. ${saveAs}`);
  }
  return { name: 'utf-8', markLength: 0 };
}

const contradiction = (found: string, given: EncodingName): FileError =>
  new FileError('FILE_ENCODING', `the file is ${found}, and the encoding that you named is ${given}: leave it out`, 1);

/** undefined: too few NUL bytes are beside each other's letters. */
function utf16Of(head: Uint8Array): EncodingName | undefined {
  const [even, odd] = countNuls(head);
  if (even + odd <= head.length / 10 || Math.max(even, odd) <= 4 * Math.min(even, odd)) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function countNuls(head: Uint8Array): [even: number, odd: number] {
  const nuls: [number, number] = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) nuls[index % 2 === 0 ? 0 : 1] += 1;
  return nuls;
}

/** Text has no NUL bytes; UTF-16 has one beside each Latin letter. The check of its cell reports a single NUL. */
function rejectBinary(head: Uint8Array): void {
  const [even, odd] = countNuls(head);
  if (even + odd < 4 || even + odd <= head.length / 10) return;
  if (utf16Of(head) !== undefined)
    throw new FileError('FILE_ENCODING', 'the file is UTF-16 without a byte order mark: save it as UTF-8', 1);
  throw new FileError('FILE_NOT_CSV', `this is not a CSV file but binary data. ${saveAs}`);
}

const startsWith = (head: Uint8Array, bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => head[index] === byte);

// Counts lines as a text editor does: CRLF, LF and CR each end one, also mixed in one file.

const carriageReturn = 13;
const lineFeed = 10;

export interface TextEnd {
  /** The line on which the text ends. */
  readonly line: number;
  /** The text ends with CR: a following LF belongs to a line end that is already counted. */
  readonly afterReturn: boolean;
}

/** Where a text ends that begins on `line`. */
export const endOf = (bytes: Buffer, line: number): TextEnd => ({
  line: line + createLineCounter().count(bytes),
  afterReturn: bytes.at(-1) === carriageReturn,
});

/** Counts line ends over chunks, from the end of another text; a CRLF that is cut in two counts once. */
export function createLineCounter(previous?: TextEnd): { count(bytes: Buffer): number } {
  let afterReturn = previous?.afterReturn ?? false;
  return {
    count(bytes) {
      if (bytes.length === 0) return 0;
      let ends = 0;
      // `indexOf` searches natively, which is faster than a loop over the bytes.
      for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) ends++;
      for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
        if (at === 0 ? !afterReturn : bytes[at - 1] !== carriageReturn) ends++;
      }
      afterReturn = bytes.at(-1) === carriageReturn;
      return ends;
    },
  };
}

export const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/);

export function lineBreaksIn(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

// Ends the reading of a file from inside a stream. `readCsv` returns the issue that it carries.

export class FileError extends Error {
  override readonly name = 'FileError';
  readonly issue: Issue;

  constructor(code: IssueCode, message: string, line = 0) {
    super(message);
    this.issue = errorAt(line, code, message);
  }
}
