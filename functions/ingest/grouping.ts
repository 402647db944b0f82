// Gathers rows until their request is full. The number of waiting rows is bounded: a file in which every row has its
// own combination must not be held in memory.
import type { Shape } from '#shared/operations/kit/operation.ts';
import { Utf8Buffer } from './utf8-buffer.ts';

/** @param rows the JSON of the rows in file order, with commas between them; valid only during the call */
export type Emit = (shape: Shape, rows: Uint8Array, rowCount: number) => void;

export interface GroupingLimits {
  readonly maxRowsPerRequest: number;
  /** Above this, the largest groups are emitted early, until half of it is free. */
  readonly maxWaitingRows: number;
}

export interface OpenGroup {
  readonly shape: Shape;
  readonly rows: Utf8Buffer;
  rowCount: number;
  isOpen: boolean;
}

const comma = 0x2c;
/** Buffers that are kept for later groups: more than a usual file has combinations. */
const maxSpareBuffers = 256;
const maxSpareBytes = 64 * 1024;

export class Grouping {
  readonly #limits: GroupingLimits;
  readonly #emit: Emit;
  readonly #open = new Map<string, OpenGroup>();
  readonly #spareBuffers: Utf8Buffer[] = [];
  #waiting = 0;

  constructor(limits: GroupingLimits, emit: Emit) {
    this.#limits = limits;
    this.#emit = emit;
  }

  add(shape: Shape, row: string): void {
    const group = this.beginRow(shape);
    group.rows.add(row);
    this.endRow(group);
  }

  /**
   * For a caller that writes the row itself: put its JSON at the end of `rows` of the group, then call `endRow`.
   * @param last the group of an earlier row of this shape, which is found faster
   */
  beginRow(shape: Shape, last?: OpenGroup): OpenGroup {
    const group = last?.isOpen === true ? last : (this.#open.get(shape.head) ?? this.#openGroup(shape));
    const { rows } = group;
    if (group.rowCount === 0) return group;
    rows.reserve(1);
    rows.bytes[rows.length] = comma;
    rows.length += 1;
    return group;
  }

  endRow(group: OpenGroup): void {
    group.rowCount += 1;
    this.#waiting += 1;
    if (group.rowCount >= this.#limits.maxRowsPerRequest) this.#close(group);
    else if (this.#waiting > this.#limits.maxWaitingRows) this.#makeRoom();
  }

  /** Emits every open group, in the order of their first rows. */
  flush(): void {
    for (const group of [...this.#open.values()]) this.#close(group);
  }

  #openGroup(shape: Shape): OpenGroup {
    const group = { shape, rows: this.#spareBuffers.pop() ?? new Utf8Buffer(), rowCount: 0, isOpen: true };
    this.#open.set(shape.head, group);
    return group;
  }

  #close(group: OpenGroup): void {
    const { shape, rows, rowCount } = group;
    this.#open.delete(shape.head);
    group.isOpen = false;
    this.#waiting -= rowCount;
    this.#emit(shape, rows.written, rowCount);
    rows.length = 0;
    const isSmall = rows.bytes.length <= maxSpareBytes;
    if (isSmall && this.#spareBuffers.length < maxSpareBuffers) this.#spareBuffers.push(rows);
  }

  /**
   * Frees half at once, so that one sort serves many rows. The sort is stable: equal groups keep the order of the file.
   */
  #makeRoom(): void {
    const largestFirst = [...this.#open.values()].sort((one, other) => other.rowCount - one.rowCount);
    for (const group of largestFirst) {
      if (this.#waiting <= this.#limits.maxWaitingRows / 2) return;
      this.#close(group);
    }
  }
}
