// UTF-8 that grows at its end: a row that is put together as bytes is never a text, and nothing of it is left to collect.

export class ByteText {
  /** Only the first `length` bytes are text. */
  bytes: Buffer = Buffer.alloc(0);
  length = 0;

  /** Makes room for so many more bytes; `bytes` may be another buffer from then on. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  add(text: string): void {
    this.reserve(Buffer.byteLength(text));
    this.length += this.bytes.write(text, this.length);
  }

  addBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** What stands here, good until more is added. */
  get written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
