// Gathers small pieces of a file, so that not every row needs an await and a write.
import type { FileWriter } from '#shared/store/files/files.ts';
import { Utf8Buffer } from './utf8-buffer.ts';

const writeBytes = 64 * 1024;

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
    return this.#gathered.written.subarray(length - this.#writtenBytes);
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
