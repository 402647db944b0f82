// Rows wait here for company until their request is full. Bounded: a file in which every row has its own combination
// must not gather the whole file in memory.
import type { Shape } from '#shared/operations/operation.ts';
import { ByteText } from './byte-text.ts';

/** @param rows the JSON of the rows in file order, with commas between them; good only during the call */
export type Emit = (shape: Shape, rows: Uint8Array, rowCount: number) => void;

export interface Grouping {
  add(shape: Shape, row: string): void;
  /** The group that rows of this shape join, for who writes them himself: `next`, then a row at the end, then `added`. */
  open(shape: Shape): OpenGroup;
  next(group: OpenGroup): void;
  added(group: OpenGroup): void;
  /** Emits every group that is still open, in the order of their first rows. */
  flush(): void;
}

export interface GroupingLimits {
  /** The most rows of one request. */
  readonly maxRowsPerRequest: number;
  /** The most rows that wait at a time. When there are more, the largest groups leave early, until half of it is free. */
  readonly maxWaitingRows: number;
}

export interface OpenGroup {
  readonly shape: Shape;
  readonly rows: ByteText;
  rowCount: number;
  /** False once it has left. */
  isOpen: boolean;
}

const comma = 0x2c;
/** So many buffers are kept for the groups that come next: more than a usual file has combinations. */
const maxSpare = 256;
const maxSpareBytes = 64 * 1024;

export function createGrouping({ maxRowsPerRequest, maxWaitingRows }: GroupingLimits, emit: Emit): Grouping {
  const open = new Map<string, OpenGroup>();
  const spare: ByteText[] = [];
  let waiting = 0;

  const leave = (group: OpenGroup): void => {
    const { shape, rows, rowCount } = group;
    open.delete(shape.head);
    group.isOpen = false;
    waiting -= rowCount;
    emit(shape, rows.written, rowCount);
    rows.length = 0;
    if (spare.length < maxSpare && rows.bytes.length <= maxSpareBytes) spare.push(rows);
  };

  const openFor = (shape: Shape): OpenGroup => {
    const group = { shape, rows: spare.pop() ?? new ByteText(), rowCount: 0, isOpen: true };
    open.set(shape.head, group);
    return group;
  };

  /** Half at once, so that the sort is paid once for many rows; the sort is stable, so the order is the file's. */
  const makeRoom = (): void => {
    const largestFirst = [...open.values()].sort((one, other) => other.rowCount - one.rowCount);
    for (const group of largestFirst) {
      if (waiting <= maxWaitingRows / 2) return;
      leave(group);
    }
  };

  const next = ({ rows, rowCount }: OpenGroup): void => {
    if (rowCount === 0) return;
    rows.reserve(1);
    rows.bytes[rows.length] = comma;
    rows.length += 1;
  };

  const added = (group: OpenGroup): void => {
    group.rowCount += 1;
    waiting += 1;
    if (group.rowCount >= maxRowsPerRequest) leave(group);
    else if (waiting > maxWaitingRows) makeRoom();
  };

  const openOf = (shape: Shape): OpenGroup => open.get(shape.head) ?? openFor(shape);

  return {
    open: openOf,
    next,
    added,
    add: (shape, row) => {
      const group = openOf(shape);
      next(group);
      group.rows.add(row);
      added(group);
    },
    flush: () => {
      for (const group of [...open.values()]) leave(group);
    },
  };
}
