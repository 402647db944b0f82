// UTF-8 text that grows at its end. Rows are gathered as bytes: texts would give the garbage collector work for each
// row.
import type { FileWriter } from '#shared/store/files.ts';

/** Bytes of UTF-8 for a UTF-16 unit, at most. */
const maxBytesPerUnit = 3;

export class Utf8Buffer {
  /** Only the first `length` bytes are text. */
  bytes: Buffer = Buffer.alloc(0);
  length = 0;

  /** Makes room for this many more bytes; `bytes` may be another buffer from then on. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  add(text: string): void {
    // Counting the bytes first would take as long as writing them.
    this.reserve(maxBytesPerUnit * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  addByte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  addBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The text so far; valid until more is added. */
  get written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** Read at once, because a byte at a time takes longer. */
export const wordBytes = 4;

/** Not for secrets, and not where others choose the bytes. Each bit of the two numbers depends on all bytes. */
export class ByteHash {
  high = 0;
  low = 0;

  begin(high: number, low: number): void {
    this.high = high;
    this.low = low;
  }

  /** The bytes from `start` to `end`. */
  add(bytes: DataView, start: number, end: number): void {
    let high = this.high ^ (end - start);
    let { low } = this;
    let at = start;
    for (; at + 2 * wordBytes <= end; at += 2 * wordBytes) {
      high = mix(high ^ low ^ bytes.getInt32(at));
      low = mix(low ^ high ^ bytes.getInt32(at + wordBytes));
    }
    for (; at < end; at += 1) {
      high = mix(high ^ low ^ bytes.getUint8(at));
      low = mix(low ^ high);
    }
    this.high = high;
    this.low = low;
  }

  end(): void {
    this.high = mix(mix(this.high ^ this.low));
    this.low = mix(mix(this.low ^ this.high));
  }
}

function mix(hash: number): number {
  const product = Math.imul(hash, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/**
 * Where an ASCII text begins at `start` or behind it; the length of the bytes where it does not. It skips most bytes
 * (Horspool's search), and a native search takes longer for a text that is near.
 */
export function createSearch(text: string): (bytes: Uint8Array, start: number) => number {
  const sought = Uint8Array.from(Buffer.from(text));
  const last = sought.length - 1;
  const skips = new Uint8Array(256).fill(sought.length);
  for (let at = 0; at < last; at += 1) skips[sought[at] as number] = last - at;
  return (bytes, start) => {
    const { length } = bytes;
    for (let end = start + last; end < length; end += skips[bytes[end] as number] as number) {
      let at = last;
      while (at >= 0 && bytes[end - last + at] === sought[at]) at -= 1;
      if (at < 0) return end - last;
    }
    return length;
  };
}

const writeBytes = 64 * 1024;

/** Gathers small pieces of a file, so that not every row needs an await and a write. */
export class BufferedWriter {
  readonly #writer: FileWriter;
  readonly #gathered = new Utf8Buffer();
  #writtenBytes = 0;

  constructor(writer: FileWriter) {
    this.#writer = writer;
  }

  /** Bytes added so far. */
  get length(): number {
    return this.#writtenBytes + this.#gathered.length;
  }

  /** The bytes added after the first `length`; nothing may have been written since. */
  since(length: number): Uint8Array {
    return this.#gathered.bytes.subarray(length - this.#writtenBytes, this.#gathered.length);
  }

  add(text: string): void {
    this.#gathered.add(text);
  }

  /** UTF-8; copied. */
  addBytes(bytes: Uint8Array): void {
    this.#gathered.addBytes(bytes);
  }

  /** Writes what is gathered once it is enough; await it for back-pressure. */
  async drain(): Promise<void> {
    if (this.#gathered.length >= writeBytes) await this.#write();
  }

  async close(): Promise<void> {
    if (this.#gathered.length > 0) await this.#write();
    await this.#writer.close();
  }

  /** Leaves no file behind. */
  abort(): Promise<void> {
    return this.#writer.abort();
  }

  async #write(): Promise<void> {
    await this.#writer.write(this.#gathered.written);
    this.#writtenBytes += this.#gathered.length;
    this.#gathered.length = 0;
  }
}
