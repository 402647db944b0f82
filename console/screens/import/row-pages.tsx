// The rows of an import by pages and filter, and those that a person chooses, such as to leave them out.

import Button from '@cloudscape-design/components/button';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count } from '#shared/text/wording.ts';
import type { Answer, ImportDetails, ImportRow as Row } from '../../api/answers.ts';
import { type CallInput, call } from '../../api/call.ts';
import { refetchMs } from '../../api/queries.ts';
import { numbers } from '../../text/words.ts';
import { useReading } from './readings.ts';

const pageSize = '50';
/** A plan has its invalid rows at once, and all rows a moment later. */
const allRowsMs = 2_000;

interface Filter {
  readonly text: string;
  readonly outcomes: readonly string[];
  readonly request?: string | undefined;
}

type Shown = Filter & Pick<ImportDetails, 'reading'>;

const isSame = (one: Shown, other: Shown): boolean =>
  one.text === other.text &&
  one.outcomes === other.outcomes &&
  one.request === other.request &&
  one.reading === other.reading;

/**
 * Pages by cursor: a page is read once the page before it is known. One that is wanted earlier, by quick clicks, waits
 * for it.
 */
export function useRowPages({ importId, reading }: ImportDetails, filter: Filter) {
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  const [wanted, setWanted] = useState(0);
  const [shown, setShown] = useState({ ...filter, reading });
  // Another reading of a draft has other rows.
  if (!isSame(shown, { ...filter, reading })) {
    setShown({ ...filter, reading });
    setCursors(['']);
    setWanted(0);
  }
  const index = Math.min(wanted, cursors.length - 1);
  const cursor = cursors[index] ?? '';
  const query = {
    limit: pageSize,
    ...(filter.text === '' ? {} : { text: filter.text }),
    ...(filter.outcomes.length === 0 ? {} : { outcome: filter.outcomes.join(',') }),
    ...(filter.request && { request: filter.request }),
    ...(cursor === '' ? {} : { cursor }),
  };
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['listRows', importId, query, reading],
    queryFn: ({ signal }) => readPage({ path: { importId }, query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchMs(state.error, hasAllRows(state.data) ? undefined : allRowsMs),
  });
  // While a page is read, the page before is shown: its next page is the one that is being read.
  const next = isPlaceholderData ? undefined : data?.nextCursor;
  if (wanted > index && next !== undefined) {
    if (next === null) setWanted(index);
    else setCursors([...cursors, next]);
  }
  return {
    data,
    error,
    index: wanted,
    /** The rows are still those of the filter before. */
    isSearching: isPlaceholderData && index === 0,
    known: Math.max(cursors.length, wanted + 1),
    isOpenEnd: next !== null && index === cursors.length - 1,
    goTo: setWanted,
  };
}

export const RowPagination = ({
  index,
  known,
  isOpenEnd,
  goTo,
}: Omit<ReturnType<typeof useRowPages>, 'data' | 'error'>) => (
  <Pagination
    currentPageIndex={index + 1}
    pagesCount={known}
    openEnd={isOpenEnd}
    onChange={({ detail }) => goTo(detail.currentPageIndex - 1)}
  />
);

export const hasAllRows = (page: Answer<'listRows'> | undefined): boolean =>
  page?.reported === undefined || page.reported.rows >= page.reported.of;

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

/** The selected rows. Another reading has other rows. */
export function useSelection({ reading }: ImportDetails) {
  const [selected, setSelected] = useState<readonly Row[]>([]);
  const [shown, setShown] = useState(reading);
  if (shown !== reading) {
    setShown(reading);
    setSelected([]);
  }
  return [selected, setSelected] as const;
}

export const selectionLabels = () => ({
  selectionGroupLabel: 'Selected numbers',
  allItemsSelectionLabel: () => 'Select all numbers of this page',
  itemSelectionLabel: (_data: unknown, { line }: Row) => `Select line ${count(line)}`,
});

/**
 * Rows of a draft are left out of its plan, or put back: the file is read again, and its new plan can be approved.
 */
export function LeaveOut({ item, selected }: { readonly item: ImportDetails; readonly selected: readonly Row[] }) {
  const reading = useReading(item, 'The plan was not changed');
  const linesOf = (isLeftOut: boolean) => selected.filter((row) => row.isLeftOut === isLeftOut).map(({ line }) => line);
  const [kept, leftOut] = [linesOf(false), linesOf(true)];
  const { isRunning } = reading;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {leftOut.length > 0 && (
        <Button loading={isRunning} onClick={() => reading.run({ reading: item.reading, putBack: leftOut })}>
          {`Put back ${numbers(leftOut.length)}`}
        </Button>
      )}
      <Button
        loading={isRunning}
        disabled={kept.length === 0}
        onClick={() => reading.run({ reading: item.reading, leaveOut: kept })}
      >
        {kept.length === 0 ? 'Leave out numbers' : `Leave out ${numbers(kept.length)}`}
      </Button>
    </SpaceBetween>
  );
}
