// The rows of an import by pages and filter.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallInput, call } from '../../api/call.ts';
import type { Answer } from '../../api/types.ts';

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
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['listRows', importId, query],
    queryFn: ({ signal }) => readPage({ path: { importId }, query, signal }),
    placeholderData: keepPreviousData,
  });
  // Of the page before, the next page is the one that is being read.
  const next = isPlaceholderData ? null : (data?.nextCursor ?? null);
  return {
    data,
    error,
    index,
    /** The rows are still those of the filter before. */
    isSearching: isPlaceholderData && index === 0,
    known: cursors.length,
    isOpenEnd: next !== null && index === cursors.length - 1,
    goTo: (wanted: number) => {
      if (wanted >= cursors.length && next !== null) setCursors([...cursors, next]);
      setIndex(Math.min(wanted, next === null ? cursors.length - 1 : cursors.length));
    },
  };
}

/**
 * One answer reads a part of a large file: it has no row where this part has no match. Then the next part is read, so
 * that no page is empty.
 */
async function readPage(input: CallInput<'listRows'>): Promise<Answer<'listRows'>> {
  let page = await call('listRows', input);
  while (page.rows.length === 0 && page.nextCursor !== null) {
    page = await call('listRows', { ...input, query: { ...input.query, cursor: page.nextCursor } });
  }
  return page;
}
