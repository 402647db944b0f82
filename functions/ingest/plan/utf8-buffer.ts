// UTF-8 text that grows at its end: requests and files are gathered as bytes.
import type { FileWriter } from '#shared/store/files.ts';

/** Bytes of UTF-8 for a UTF-16 unit, at most. */
const maxBytesPerUnit = 3;

export class Utf8Buffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  /** Of the text so far. */
  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    // Counting the bytes first would take as long as writing them.
    this.#reserve(maxBytesPerUnit * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** UTF-8; copied. */
  addBytes(bytes: Buffer, start = 0, end = bytes.length): void {
    this.#reserve(end - start);
    this.#length += bytes.copy(this.#bytes, this.#length, start, end);
  }

  /** The text from a place on; valid until more is added. */
  written(start = 0): Buffer {
    return this.#bytes.subarray(start, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
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
    return this.#gathered.written(length - this.#writtenBytes);
  }

  add(text: string): void {
    this.#gathered.add(text);
  }

  /** UTF-8; copied. */
  addBytes(bytes: Buffer): void {
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
    await this.#writer.write(this.#gathered.written());
    this.#writtenBytes += this.#gathered.length;
    this.#gathered.clear();
  }
}
