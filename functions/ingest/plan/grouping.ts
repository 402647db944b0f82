// Gathers rows until their request is full. Open groups and the memory of their rows are bounded apart: a file may have
// as many combinations as rows, or few combinations of which each waits for its last rows.
import type { UploadSettings } from '#shared/files/upload-settings.ts';
import type { DailyCapacity, DayBooked, Shape, ValidatedRow } from '#shared/operations/operation.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { copyBytes } from '#shared/row/cell.ts';
import { type Issue, notice } from '#shared/row/issue.ts';
import { count, counted } from '#shared/text/wording.ts';
import { Utf8Buffer } from './utf8-buffer.ts';

/** @param rows the JSON of the rows in file order, with commas between them; valid only during the call */
export type Emit = (shape: Shape, rows: Uint8Array, rowCount: number) => void;

export interface GroupingLimits {
  readonly maxRowsPerRequest: number;
  /** With more, the groups with the most rows are emitted before they are full. */
  readonly maxOpenGroups: number;
  /** Memory of the rows that wait; above it, the groups with the most rows are emitted before they are full. */
  readonly maxWaitingBytes: number;
  /** Rows at risk are in separate requests, so that they block only each other. */
  readonly separatesAtRisk?: boolean | undefined;
}

/** How rows are packed while they wait. A layout has what many rows share, so that a row needs only the remainder. */
export interface RowLayout {
  /** Adds the JSON of the row that was packed into the bytes from `start` to `end`. */
  unpack(rows: Utf8Buffer, packed: Uint8Array, start: number, end: number): void;
}

export interface OpenGroup {
  readonly shape: Shape;
  readonly rows: Chain;
  rowCount: number;
  isOpen: boolean;
}

const json: RowLayout = { unpack: (rows, packed, start, end) => rows.addBytes(packed.subarray(start, end)) };
const comma = 0x2c;
/** Of a packed row: its layout in two bytes, and the bytes that follow in three. */
const headerBytes = 5;
const maxLayouts = 1 << 14;
/** Rows of a request that are not divided; the settings allow as many for any request. */
const mostTogether = 1000;
/** Memory that is freed at a time, so that the groups are sorted rarely. */
const freedShare = 1 / 8;

export class Grouping {
  /** The packed row between `beginRow` and `endRow`; its writer adds to the end. */
  readonly row = new Utf8Buffer();
  /** Requests that were emitted before they were full, to bound memory. */
  emittedEarly = 0;
  /** Rows at risk in separate requests. */
  rowsApart = 0;
  readonly #limits: GroupingLimits;
  readonly #emit: Emit;
  readonly #open = new Map<string, OpenGroup>();
  readonly #store = new BlockStore();
  readonly #layouts: RowLayout[] = [json];
  readonly #packed = new Utf8Buffer();
  readonly #unpacked = new Utf8Buffer();

  constructor(limits: GroupingLimits, emit: Emit) {
    this.#limits = limits;
    this.#emit = emit;
    this.row.reserve(headerBytes);
  }

  /** Returns the number of the layout for `endRow`; undefined when there are too many. */
  addLayout(layout: RowLayout): number | undefined {
    return this.#layouts.length < maxLayouts ? this.#layouts.push(layout) - 1 : undefined;
  }

  /** The shape with which such a row is added. */
  shapeFor(shape: Shape, { isAtRisk }: ValidatedRow): Shape {
    if (!isAtRisk || this.#limits.separatesAtRisk !== true) return shape;
    return { ...shape, label: `${shape.label}, PAC expires soon`, isApart: true };
  }

  add(shape: Shape, row: string): void {
    const group = this.beginRow(shape);
    this.row.add(row);
    this.endRow(group, 0);
  }

  /**
   * For a caller that packs the row itself: add it to the end of `row`, then call `endRow`.
   * @param last the group of an earlier row of this shape, which is found faster
   */
  beginRow(shape: Shape, last?: OpenGroup): OpenGroup {
    this.row.length = headerBytes;
    return last?.isOpen === true ? last : (this.#open.get(keyOf(shape)) ?? this.#openGroup(shape));
  }

  endRow(group: OpenGroup, layout: number): void {
    const { bytes, length } = this.row;
    writeHeader(bytes, layout, length - headerBytes);
    this.#store.append(group.rows, bytes, length);
    group.rowCount += 1;
    const most = group.shape.isTogether ? mostTogether : this.#limits.maxRowsPerRequest;
    if (group.rowCount >= most) this.#close(group);
    else if (this.#store.usedBytes > this.#limits.maxWaitingBytes) this.#freeMemory();
  }

  /** Emits the open groups, that with the earliest first row first, each when it is asked for. */
  *emitOpen(): Generator<void> {
    for (const group of this.#open.values()) {
      this.#close(group);
      yield;
    }
  }

  #openGroup(shape: Shape): OpenGroup {
    const { maxOpenGroups } = this.#limits;
    if (this.#open.size >= maxOpenGroups) this.#closeEarly(() => this.#open.size <= maxOpenGroups * (1 - freedShare));
    const group = { shape, rows: emptyChain(), rowCount: 0, isOpen: true };
    this.#open.set(keyOf(shape), group);
    return group;
  }

  #close(group: OpenGroup): void {
    const { shape, rows, rowCount } = group;
    this.#open.delete(keyOf(shape));
    if (shape.isApart) this.rowsApart += rowCount;
    group.isOpen = false;
    const [packed, { length }] = [this.#packed, rows];
    packed.reserve(length);
    this.#store.take(rows, packed.bytes);
    this.#emit(shape, this.#unpack(packed.bytes, length), rowCount);
  }

  #unpack(packed: Uint8Array, length: number): Uint8Array {
    const rows = this.#unpacked;
    rows.length = 0;
    for (let at = 0; at < length; ) {
      if (at > 0) rows.addByte(comma);
      const layout = this.#layouts[layoutAt(packed, at)] as RowLayout;
      const start = at + headerBytes;
      at = start + lengthAt(packed, at);
      layout.unpack(rows, packed, start, at);
    }
    return rows.written;
  }

  #freeMemory(): void {
    const enough = this.#limits.maxWaitingBytes * (1 - freedShare);
    this.#closeEarly(() => this.#store.usedBytes <= enough);
  }

  /**
   * A group with many rows frees the most memory, and makes the best use of a call. Of equal groups the oldest is
   * closed first: in a sorted file it gets no more rows.
   */
  #closeEarly(isEnough: () => boolean): void {
    const fullestFirst = [...this.#open.values()].sort((one, other) => other.rowCount - one.rowCount);
    for (const group of fullestFirst) {
      if (isEnough()) return;
      this.#close(group);
      this.emittedEarly += 1;
    }
  }
}

const keyOf = ({ head, isApart }: Shape): string => (isApart ? `apart ${head}` : head);

function writeHeader(bytes: Uint8Array, layout: number, length: number): void {
  bytes[0] = layout;
  bytes[1] = layout >> 8;
  bytes[2] = length;
  bytes[3] = length >> 8;
  bytes[4] = length >> 16;
}

const layoutAt = (bytes: Uint8Array, at: number): number => (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

const lengthAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8) | ((bytes[at + 4] as number) << 16);

// Rows wait in chains of small blocks. Twenty thousand growing buffers would waste half of their memory. Each chain
// wastes less than one block.

/** Most groups of a large file have several rows; a row takes about 50 bytes. */
const blockBytes = 256;
const blocksPerSlab = 4096;
const none = -1;

/** One byte sequence; empty as long as `firstBlock` is negative. */
interface Chain {
  firstBlock: number;
  lastBlock: number;
  /** Bytes used of the last block. */
  lastBytes: number;
  length: number;
}

const emptyChain = (): Chain => ({ firstBlock: none, lastBlock: none, lastBytes: blockBytes, length: 0 });

class BlockStore {
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
      copyBytes(bytes, from, to, slab, (chain.lastBlock % blocksPerSlab) * blockBytes + chain.lastBytes);
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
      to = copyBytes(slab, start, start + length, target, to);
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

// Spreads rows whose date the file leaves open over the days that can be booked, in the order of the file.

class RowsPerDay implements DailyCapacity {
  readonly #most: number;
  readonly #rows: Map<CalendarDate, number>;
  /** Days with rows whose date was open. */
  readonly #chosen = new Set<CalendarDate>();
  /** Of the current row. */
  #added: { readonly day: CalendarDate; readonly isFirstChosen?: boolean } | undefined;

  /** @param booked rows of other files on each day */
  constructor(most: number, booked: ReadonlyMap<CalendarDate, number>) {
    this.#most = most;
    this.#rows = new Map(booked);
  }

  add(day: CalendarDate): void {
    this.#rows.set(day, (this.#rows.get(day) ?? 0) + 1);
    this.#added = { day };
  }

  endRow(verdict: 'valid' | 'invalid'): void {
    if (verdict === 'invalid' && this.#added !== undefined) {
      const { day, isFirstChosen } = this.#added;
      this.#rows.set(day, (this.#rows.get(day) ?? 0) - 1);
      if (isFirstChosen) this.#chosen.delete(day);
    }
    this.#added = undefined;
  }

  book(days: readonly CalendarDate[], last: CalendarDate | undefined): DayBooked | undefined {
    const day = days.find((one) => (this.#rows.get(one) ?? 0) < this.#most);
    if (day === undefined || (last !== undefined && day > last)) return undefined;
    this.add(day);
    this.#added = { day, isFirstChosen: !this.#chosen.has(day) };
    this.#chosen.add(day);
    if (day === days[0]) return { day };
    return { day, why: `${day} is the first day with room: at most ${counted(this.#most, 'number')} a day` };
  }

  /** For the person who set the limit. */
  get notice(): Issue {
    const days = [...this.#chosen].sort();
    const limit = `at most ${counted(this.#most, 'number')} a day`;
    const [first, last] = [days[0], days.at(-1)];
    const message =
      first === undefined
        ? `No row leaves its date open with "auto", so the limit of ${limit} changed nothing`
        : `Rows with "auto" are spread over ${counted(days.length, 'day')}, ${limit}: from ${first} to ${last}, ` +
          `with ${count(this.#rows.get(last as CalendarDate) ?? 0)} on the last day`;
    return { line: 0, column: 'connectionDate', ...notice('FILE_SPREAD_OVER_DAYS', message) };
  }
}

/** undefined: any number of rows may be ported on one day. */
export const limitRowsPerDay = async (
  { perDay }: UploadSettings,
  correction: { bookedDays(): Promise<ReadonlyMap<CalendarDate, number>> } | undefined,
): Promise<RowsPerDay | undefined> =>
  perDay === undefined ? undefined : new RowsPerDay(perDay, (await correction?.bookedDays()) ?? new Map());
