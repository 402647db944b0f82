// The rows of an import by pages and filter.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';

const pageSize = '50';

/** Pages by cursor: a page can be opened once the page before it is known. */
export function useRowPages(importId: string, filter: { readonly text: string; readonly outcomes: readonly string[] }) {
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  const [index, setIndex] = useState(0);
  const [shownFilter, setShownFilter] = useState(filter);
  if (shownFilter.text !== filter.text || shownFilter.outcomes !== filter.outcomes) {
    setShownFilter(filter);
    setCursors(['']);
    setIndex(0);
  }
  const cursor = cursors[index] ?? '';
  const query = {
    limit: pageSize,
    ...(filter.text === '' ? {} : { text: filter.text }),
    ...(filter.outcomes.length === 0 ? {} : { outcome: filter.outcomes.join(',') }),
    ...(cursor === '' ? {} : { cursor }),
  };
  const { data, error } = useQuery({
    queryKey: ['listRows', importId, query],
    queryFn: ({ signal }) => call('listRows', { path: { importId }, query, signal }),
    placeholderData: keepPreviousData,
  });
  const next = data?.nextCursor ?? null;
  return {
    data,
    error,
    index,
    known: cursors.length,
    isOpenEnd: next !== null && index === cursors.length - 1,
    goTo: (wanted: number) => {
      if (wanted >= cursors.length && next !== null) setCursors([...cursors, next]);
      setIndex(Math.min(wanted, next === null ? cursors.length - 1 : cursors.length));
    },
  };
}
