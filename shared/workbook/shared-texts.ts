// The shared texts of a workbook in one buffer: two million strings would take four times as much memory.

export class SharedTexts {
  #bytes: Buffer = Buffer.allocUnsafeSlow(64 * 1024);
  #length = 0;
  /** Where each text ends. */
  #ends = new Uint32Array(1024);
  #count = 0;

  add(text: string): void {
    const needed = this.#length + Buffer.byteLength(text);
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(2 * this.#count);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#bytes.write(text, this.#length);
    this.#length = needed;
    this.#ends[this.#count] = needed;
    this.#count += 1;
  }

  /** '' where there is no such text. */
  get(index: number): string {
    const end = index < this.#count ? this.#ends[index] : undefined;
    return end === undefined ? '' : this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], end);
  }
}
