// All rows of an import that can be fixed and sent again, invalid and declined ones, read page by page.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { call } from '../../api/call.ts';
import { rowsOfFile, useRead } from '../../api/queries.ts';
import type { Answer, ImportDetails, ImportRow } from '../../api/types.ts';

export type FileColumn = Answer<'listRows'>['columns'][number];

/** The most that the API answers: each page reads the file up to its rows. */
const pageSize = '2500';
/** More than this many rows are fixed in the spreadsheet that they come from. */
export const mostRows = 10_000;

export function useInvalidRows({ importId, operation, columnValues }: ImportDetails) {
  const { data: known } = useRead('listOperations', {});
  const read = useInfiniteQuery({
    queryKey: [rowsOfFile, importId],
    queryFn: ({ pageParam, signal }) =>
      call('listRows', {
        path: { importId },
        query: {
          outcome: 'rejected,declined,cancelled',
          limit: pageSize,
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Invalid rows never change, and declined ones are read again when the screen is opened again.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, isError } = read;
  const rows = useMemo(
    () => data?.pages.flatMap((page) => page.rows.flatMap((row) => openRow(row, operation))) ?? [],
    [data, operation],
  );
  const isComplete = data !== undefined && (!hasNextPage || rows.length >= mostRows);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError && rows.length < mostRows) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, rows.length, fetchNextPage]);
  const ofOperation = known?.operations.find(({ name }) => name === operation)?.columns;
  const ofFile = data?.pages[0]?.columns;
  const columns = useMemo(
    () => [...(ofFile ?? []), ...missingColumns({ ofFile, ofOperation, columnValues }, rows)],
    [ofFile, ofOperation, columnValues, rows],
  );
  return { read, rows, columns, isComplete: isComplete && ofOperation !== undefined };
}

/** A row that was sent has the answer of the service as its finding. */
function openRow(row: ImportRow, operation: ImportDetails['operation']): ImportRow[] {
  if (row.outcome === 'rejected') return [row];
  if (row.correctedBy !== operation) return [];
  const message = [row.status, row.message].filter(Boolean).join(': ');
  return [{ ...row, issues: [{ column: null, code: 'ROW_REFUSED', severity: 'error', message }] }];
}

interface Columns {
  readonly ofFile: readonly FileColumn[] | undefined;
  readonly ofOperation: Answer<'listOperations'>['operations'][number]['columns'] | undefined;
  readonly columnValues: ImportDetails['columnValues'];
}

/** Columns that the file lacks and a row needs: they can be filled in behind those of the file. */
function missingColumns(
  { ofFile = [], ofOperation = [], columnValues }: Columns,
  rows: readonly ImportRow[],
): FileColumn[] {
  // `services: Roaming` is a column with entries of `services`.
  const inFile = new Set(ofFile.flatMap(({ name }) => (name === null ? [] : [name, name.split(': ')[0]])));
  const invalid = new Set(rows.flatMap(({ issues }) => issues.map(({ column }) => column)));
  return ofOperation
    .filter(({ name, required, neededFor }) => {
      if (inFile.has(name)) return false;
      return invalid.has(name) || ((required || neededFor !== null) && columnValues[name] === undefined);
    })
    .map(({ name, secret }) => ({ header: '', name, option: null, secret }));
}
