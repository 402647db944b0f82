// Byte sequences that grow at their end, in chains of small blocks. Twenty thousand growing buffers would waste half of
// their memory; here each sequence wastes less than one block.

/** Most groups of a large file have several rows; a row takes about 50 bytes. */
const blockBytes = 256;
const blocksPerSlab = 4096;
const none = -1;

/** One byte sequence; empty as long as `firstBlock` is negative. */
export interface Chain {
  firstBlock: number;
  lastBlock: number;
  /** Bytes used of the last block. */
  lastBytes: number;
  length: number;
}

export const emptyChain = (): Chain => ({ firstBlock: none, lastBlock: none, lastBytes: blockBytes, length: 0 });

export class BlockStore {
  /** Bytes of all blocks in use. */
  usedBytes = 0;
  readonly #slabs: Uint8Array[] = [];
  /** The block that follows each block, in its chain or among the free blocks. */
  #nexts = new Int32Array(0);
  #firstFree = none;

  append(chain: Chain, bytes: Uint8Array, length: number): void {
    let from = 0;
    while (from < length) {
      if (chain.lastBytes === blockBytes) this.#addBlock(chain);
      const to = Math.min(length, from + blockBytes - chain.lastBytes);
      const slab = this.#slabs[Math.floor(chain.lastBlock / blocksPerSlab)] as Uint8Array;
      const shift = (chain.lastBlock % blocksPerSlab) * blockBytes + chain.lastBytes - from;
      for (let at = from; at < to; at += 1) slab[at + shift] = bytes[at] as number;
      chain.lastBytes += to - from;
      from = to;
    }
    chain.length += length;
  }

  /** Moves the bytes of the chain to the start of `target`, which must have room for them. */
  take(chain: Chain, target: Uint8Array): void {
    let to = 0;
    for (let block = chain.firstBlock; block !== none; ) {
      const slab = this.#slabs[Math.floor(block / blocksPerSlab)] as Uint8Array;
      const start = (block % blocksPerSlab) * blockBytes;
      const length = block === chain.lastBlock ? chain.lastBytes : blockBytes;
      target.set(slab.subarray(start, start + length), to);
      to += length;
      const next = this.#nexts[block] as number;
      this.#nexts[block] = this.#firstFree;
      this.#firstFree = block;
      this.usedBytes -= blockBytes;
      block = block === chain.lastBlock ? none : next;
    }
    Object.assign(chain, emptyChain());
  }

  #addBlock(chain: Chain): void {
    if (this.#firstFree === none) this.#addSlab();
    const block = this.#firstFree;
    this.#firstFree = this.#nexts[block] as number;
    this.usedBytes += blockBytes;
    if (chain.firstBlock === none) chain.firstBlock = block;
    else this.#nexts[chain.lastBlock] = block;
    chain.lastBlock = block;
    chain.lastBytes = 0;
  }

  #addSlab(): void {
    const first = this.#nexts.length;
    const nexts = new Int32Array(first + blocksPerSlab);
    nexts.set(this.#nexts);
    for (let block = first; block < nexts.length; block += 1) nexts[block] = block + 1;
    nexts[nexts.length - 1] = none;
    this.#nexts = nexts;
    this.#firstFree = first;
    this.#slabs.push(new Uint8Array(blocksPerSlab * blockBytes));
  }
}
