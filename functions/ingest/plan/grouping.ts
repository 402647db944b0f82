// Gathers rows until their request is full. Open groups and the memory of their rows are bounded apart: a file may have
// as many combinations as rows, or few combinations of which each waits for its last rows.
import type { UploadSettings } from '#shared/files/upload-settings.ts';
import type { DailyCapacity, DayBooked, Shape, ValidatedRow } from '#shared/operations/operation.ts';
import { cycleOf } from '#shared/row/booking-window.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { type Issue, notice } from '#shared/row/issue.ts';
import { mostRowsPerRequest } from '#shared/text/identity.ts';
import { count, counted } from '#shared/text/wording.ts';
import { type ContentHash, type HeadHash, hashHead, type RowJson } from './row-json.ts';
import { Utf8Buffer } from './utf8-buffer.ts';

/**
 * @param rows the JSON of the rows in file order, with commas between them; valid only during the call
 * @param lines of the rows, as people know them
 */
export type Emit = (shape: Shape, rows: Buffer, lines: readonly number[]) => void;

export interface GroupingLimits {
  readonly maxRowsPerRequest: number;
  /** With more, the groups with the most rows are emitted before they are full. */
  readonly maxOpenGroups: number;
  /** Memory of the rows that wait; above it, the groups with the most rows are emitted before they are full. */
  readonly maxWaitingBytes: number;
  /** Rows at risk are in separate requests, so that they block only each other. */
  readonly separatesAtRisk?: boolean | undefined;
}

/**
 * With them 5,000 combinations become as few requests as possible, in any order of their rows, and more if each waits
 * for fewer than a hundred rows. A waiting row takes 200 bytes, an open group half a kilobyte.
 */
export const waitingLimits = { maxOpenGroups: 25_000, maxWaitingBytes: 100 * 1024 * 1024 };

interface OpenGroup {
  readonly shape: Shape;
  readonly head: HeadHash;
  readonly rows: WaitingText;
  readonly lines: number[];
}

/** Memory that is freed at a time, so that the groups are sorted rarely. */
const freedShare = 1 / 8;

export class Grouping {
  /** Requests that were emitted before they were full, to bound memory. */
  emittedEarly = 0;
  /** Rows at risk in separate requests. */
  rowsApart = 0;
  readonly #limits: GroupingLimits;
  readonly #content: ContentHash;
  readonly #emit: Emit;
  readonly #open = new Map<string, OpenGroup>();
  readonly #memory = new WaitingMemory();
  /** Of the group that is emitted. */
  readonly #rows = new Utf8Buffer();

  /** @param content to which each row is added */
  constructor(limits: GroupingLimits, content: ContentHash, emit: Emit) {
    this.#limits = limits;
    this.#content = content;
    this.#emit = emit;
  }

  /** The shape with which such a row is added. */
  shapeFor(shape: Shape, { isAtRisk }: ValidatedRow): Shape {
    if (!isAtRisk || this.#limits.separatesAtRisk !== true) return shape;
    return { ...shape, label: `${shape.label}, PAC expires soon`, isApart: true };
  }

  /** @param line as people know it: that of a row of a correction is in the first file */
  add(shape: Shape, row: RowJson, line: number): void {
    const group = this.#open.get(keyOf(shape)) ?? this.#openGroup(shape);
    // With the comma in front of it, if it is not the first.
    group.rows.add(row.bytes, group.lines.length === 0 ? row.start : 0, row.end);
    group.lines.push(line);
    this.#content.add(group.head, row);
    const most = shape.isTogether ? mostRowsPerRequest : this.#limits.maxRowsPerRequest;
    if (group.lines.length >= most) this.#close(group);
    else if (this.#memory.usedBytes > this.#limits.maxWaitingBytes) this.#freeMemory();
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
    const group = { shape, head: hashHead(shape), rows: new WaitingText(this.#memory), lines: [] };
    this.#open.set(keyOf(shape), group);
    return group;
  }

  #close({ shape, rows, lines }: OpenGroup): void {
    this.#open.delete(keyOf(shape));
    if (shape.isApart) this.rowsApart += lines.length;
    this.#rows.clear();
    rows.moveTo(this.#rows);
    this.#emit(shape, this.#rows.written(), lines);
  }

  #freeMemory(): void {
    const enough = this.#limits.maxWaitingBytes * (1 - freedShare);
    this.#closeEarly(() => this.#memory.usedBytes <= enough);
  }

  /**
   * A group with many rows frees the most memory, and makes the best use of a call. Of equal groups the oldest is
   * closed first: in a sorted file it gets no more rows.
   */
  #closeEarly(isEnough: () => boolean): void {
    const fullestFirst = [...this.#open.values()].sort((one, other) => other.lines.length - one.lines.length);
    for (const group of fullestFirst) {
      if (isEnough()) return;
      this.#close(group);
      this.emittedEarly += 1;
    }
  }
}

const keyOf = ({ head, isApart }: Shape): string => (isApart ? `apart ${head}` : head);

// Rows wait in small blocks of memory outside of V8, which are used again, so the garbage collector has no work with
// them. Of the memory of a group less than one block is empty.

/** Of a few rows. */
const blockBytes = 512;
const blocksPerSlab = 2048;

class WaitingMemory {
  usedBytes = 0;
  readonly #slabs: Buffer[] = [];
  readonly #free: number[] = [];

  /** The number of a free block. */
  take(): number {
    this.usedBytes += blockBytes;
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const first = this.#slabs.length * blocksPerSlab;
    this.#slabs.push(Buffer.allocUnsafeSlow(blocksPerSlab * blockBytes));
    for (let block = first + blocksPerSlab - 1; block > first; block -= 1) this.#free.push(block);
    return first;
  }

  give(block: number): void {
    this.usedBytes -= blockBytes;
    this.#free.push(block);
  }

  slabOf(block: number): Buffer {
    return this.#slabs[Math.floor(block / blocksPerSlab)] as Buffer;
  }
}

/** Where a block begins in its slab. */
const startOf = (block: number): number => (block % blocksPerSlab) * blockBytes;

class WaitingText {
  readonly #memory: WaitingMemory;
  readonly #blocks: number[];
  #last: number;
  /** Bytes of the last block. */
  #used = 0;

  constructor(memory: WaitingMemory) {
    this.#memory = memory;
    this.#last = memory.take();
    this.#blocks = [this.#last];
  }

  add(bytes: Buffer, start: number, end: number): void {
    for (let from = start; from < end; ) {
      if (this.#used === blockBytes) this.#addBlock();
      const to = Math.min(end, from + blockBytes - this.#used);
      bytes.copy(this.#memory.slabOf(this.#last), startOf(this.#last) + this.#used, from, to);
      this.#used += to - from;
      from = to;
    }
  }

  /** Gives its blocks back. */
  moveTo(text: Utf8Buffer): void {
    for (const block of this.#blocks) {
      const start = startOf(block);
      const end = start + (block === this.#last ? this.#used : blockBytes);
      text.addBytes(this.#memory.slabOf(block), start, end);
      this.#memory.give(block);
    }
  }

  #addBlock(): void {
    this.#last = this.#memory.take();
    this.#blocks.push(this.#last);
    this.#used = 0;
  }
}

// Spreads rows whose date the file leaves open over the days that can be booked, in the order of the file.

/** What is booked by the first file and its other corrections. */
export interface BookedDays {
  /** How many of their rows are ported on each day, or may be moved to it again. */
  readonly rows: ReadonlyMap<CalendarDate, number>;
  /** The days that planning chose for them. */
  readonly places: ReadonlySet<CalendarDate>;
}

class RowsPerDay implements DailyCapacity {
  readonly #most: number;
  readonly #rows: Map<CalendarDate, number>;
  /** Days with rows whose date was open. */
  readonly #chosen = new Set<CalendarDate>();
  /** Days that planning chose for rows of other files. */
  readonly #places: ReadonlySet<CalendarDate>;
  /** Of the current row. */
  #added: { readonly day: CalendarDate; readonly isFirstChosen?: boolean } | undefined;

  /** @param booked of other files */
  constructor(most: number, { rows, places }: BookedDays) {
    this.#most = most;
    this.#rows = new Map(rows);
    this.#places = places;
  }

  /** After how many working days the days of all files may repeat. */
  get cycle(): number {
    const days = [...this.#rows].flatMap(([day, rows]) => (rows > 0 ? [day] : []));
    return cycleOf([...this.#places, ...days]);
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
  correction: { bookedDays(): Promise<BookedDays> } | undefined,
): Promise<RowsPerDay | undefined> =>
  perDay === undefined
    ? undefined
    : new RowsPerDay(perDay, (await correction?.bookedDays()) ?? { rows: new Map(), places: new Set() });
