// The shared texts of a workbook in blocks of bytes: four million strings would take four times as much memory.
import { fileTooLarge } from '#shared/files/workbook/open-archive.ts';
import { workbookLimits } from './workbook-limits.ts';

/** Longer than any text. */
const blockBytes = 1024 * 1024;
const textsPerBlock = 64 * 1024;
/** Ends each text: UTF-8 has no such byte. */
const end = 0xff;

/** A text may consist of parts, of which some are struck out. */
export const keptRun = 1;
export const struckRun = 2;

export class SharedTexts {
  readonly #blocks: Buffer[] = [];
  /** Used bytes of the last block. */
  #used = blockBytes;
  /** Where each text begins: its block, and its place there. */
  readonly #places: Uint32Array[] = [];
  #count = 0;
  /** Those with a struck-out part. */
  readonly #struck = new Map<number, number>();

  /** @throws FileError where all of them need too much memory */
  add(text: string, runs = keptRun): void {
    if ((runs & struckRun) !== 0) this.#struck.set(this.#count, runs);
    const length = Buffer.byteLength(text);
    if (this.#used + length + 1 > blockBytes) {
      this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes));
      this.#used = 0;
    }
    if (this.#count % textsPerBlock === 0) this.#places.push(new Uint32Array(textsPerBlock));
    const blocks = this.#blocks.length;
    const { textMemory } = workbookLimits;
    if (blocks * blockBytes + this.#places.length * textsPerBlock * 4 > textMemory) {
      throw fileTooLarge(`the different texts of the workbook need more than ${textMemory / 1024 / 1024} MB`);
    }
    const place = (blocks - 1) * blockBytes + this.#used;
    (this.#places.at(-1) as Uint32Array)[this.#count % textsPerBlock] = place;
    const block = this.#blocks.at(-1) as Buffer;
    block.write(text, this.#used);
    block[this.#used + length] = end;
    this.#used += length + 1;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** Which parts the text has. */
  runsOf(index: number): number {
    return this.#struck.get(index) ?? keptRun;
  }

  /** '' where there is no such text. */
  get(index: number): string {
    const place =
      index < this.#count ? this.#places[Math.floor(index / textsPerBlock)]?.[index % textsPerBlock] : undefined;
    const block = place === undefined ? undefined : this.#blocks[Math.floor(place / blockBytes)];
    if (place === undefined || block === undefined) return '';
    const start = place % blockBytes;
    return block.toString('utf8', start, block.indexOf(end, start));
  }
}
