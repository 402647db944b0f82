// Rows wait here for company until their request is full. Bounded: a file in which every row has its own combination
// must not gather the whole file in memory.
import type { Shape } from '#shared/operations/operation.ts';

/** @param rows the JSON of each row, in file order */
export type Emit = (shape: Shape, rows: readonly string[]) => void;

export interface Grouping {
  add(shape: Shape, row: string): void;
  /** Emits every group that is still open, in the order of their first rows. */
  flush(): void;
}

export interface GroupingLimits {
  /** The most rows of one request. */
  readonly maxRowsPerRequest: number;
  /** The most rows that wait at a time. When there are more, the largest groups leave early, until half of it is free. */
  readonly maxWaitingRows: number;
}

interface OpenGroup {
  readonly shape: Shape;
  readonly rows: string[];
}

export function createGrouping({ maxRowsPerRequest, maxWaitingRows }: GroupingLimits, emit: Emit): Grouping {
  const open = new Map<string, OpenGroup>();
  let waiting = 0;

  const leave = (group: OpenGroup): void => {
    open.delete(group.shape.groupKey);
    waiting -= group.rows.length;
    emit(group.shape, group.rows);
  };

  const openFor = (shape: Shape): OpenGroup => {
    const group = { shape, rows: [] };
    open.set(shape.groupKey, group);
    return group;
  };

  /** Half at once, so that the sort is paid once for many rows; the sort is stable, so the order is the file's. */
  const makeRoom = (): void => {
    const largestFirst = [...open.values()].sort((one, other) => other.rows.length - one.rows.length);
    for (const group of largestFirst) {
      if (waiting <= maxWaitingRows / 2) return;
      leave(group);
    }
  };

  return {
    add: (shape, row) => {
      const group = open.get(shape.groupKey) ?? openFor(shape);
      group.rows.push(row);
      waiting += 1;
      if (group.rows.length >= maxRowsPerRequest) leave(group);
      else if (waiting > maxWaitingRows) makeRoom();
    },
    flush: () => {
      for (const group of [...open.values()]) leave(group);
    },
  };
}
