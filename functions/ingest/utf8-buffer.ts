// UTF-8 text that grows at its end. Rows are gathered as bytes: texts would give the garbage collector work for each
// row.

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
