// Which rows of the grid are shown, and in which order.
import { useMemo, useRef, useState } from 'react';
import type { ImportRow } from '../../api/types.ts';
import type { Edits } from './edits.ts';
import type { ProblemFilter } from './problem-groups.tsx';
import { arrange, type Filters, type Order } from './selection.ts';

interface Input {
  readonly rows: readonly ImportRow[];
  readonly edits: Edits;
  readonly filter: ProblemFilter | undefined;
}

export function useArrangement({ rows, edits, filter }: Input) {
  const [order, setOrder] = useState<Order>();
  /** undefined: the fields of the filters are hidden. */
  const [filters, setFilters] = useState<Filters>();
  // As the cells were when it was chosen: a row that is being fixed neither moves nor vanishes.
  const latest = useRef(edits);
  latest.current = edits;
  const shown = useMemo(() => {
    const ofGroup = rows.filter(
      ({ issues }) =>
        filter === undefined || issues.some(({ code, column }) => code === filter.code && column === filter.column),
    );
    return arrange(ofGroup, { edits: latest.current, filters: filters ?? new Map(), order });
  }, [rows, filter, filters, order]);
  return { order, setOrder, filters, setFilters, shown };
}
