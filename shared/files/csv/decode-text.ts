// Decodes a stream of bytes to UTF-8, however it is chunked. Nothing is replaced by U+FFFD: a byte that is not valid in
// the encoding ends the reading, and the error names its line.
import { isAscii, isUtf8 } from 'node:buffer';
import { createLineCounter, type TextEnd } from '#shared/csv/count-lines.ts';
import { contradiction, detectEncoding, type EncodingName, headLength } from '#shared/csv/detect-encoding.ts';
import { FileError } from '#shared/csv/file-error.ts';

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
