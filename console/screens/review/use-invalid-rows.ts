// All invalid rows of an import, read page by page until all are here.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { call } from '../../api/call.ts';
import { rowsOfFile } from '../../api/queries.ts';
import type { Answer, ImportRow } from '../../api/types.ts';

export type FileColumn = Answer<'listRows'>['columns'][number];

const pageSize = '500';
/** More than this many rows are fixed in the spreadsheet that they come from. */
export const mostRows = 10_000;

export function useInvalidRows(importId: string) {
  const read = useInfiniteQuery({
    queryKey: [rowsOfFile, importId],
    queryFn: ({ pageParam, signal }) =>
      call('listRows', {
        path: { importId },
        query: { outcome: 'rejected', limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // The rows of a file never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, isError } = read;
  const rows = useMemo<readonly ImportRow[]>(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const isComplete = data !== undefined && (!hasNextPage || rows.length >= mostRows);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError && rows.length < mostRows) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, rows.length, fetchNextPage]);
  return { read, rows, columns: data?.pages[0]?.columns ?? [], isComplete };
}
