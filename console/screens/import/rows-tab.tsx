// The rows of an import, page by page, with filters. The browser never loads all rows.
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import Pagination from '@cloudscape-design/components/pagination';
import Table from '@cloudscape-design/components/table';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { Answer } from '../../api/types.ts';
import { useMay, useSession } from '../../app/session.tsx';
import { ProblemText } from '../../components/problem-text.tsx';
import { strings } from '../../strings.ts';
import { sharesOf } from '../../text/outcomes.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import type { ImportDetails } from './import-screen.tsx';
import { rowColumns } from './row-columns.tsx';
import { useDelayed } from './use-delayed.ts';

export type Row = Answer<'listRows'>['rows'][number];
const pageSize = '50';

export default function RowsTab({ item }: { readonly item: ImportDetails }) {
  const { callingCode } = useSession().environment;
  const mayCancel = useMay('approver') && ['submitting', 'in-progress'].includes(item.state);
  const [text, setText] = useState('');
  const [outcomes, setOutcomes] = useState<readonly string[]>([]);
  const [selected, setSelected] = useState<readonly Row[]>([]);
  const [isCancelling, setCancelling] = useState(false);
  const pages = useRowPages(item.importId, { text: useDelayed(text.trim()), outcomes });
  const texts = strings.rows;
  const options = sharesOf(item.outcomes).map(({ outcome, text: label }) => ({ value: outcome, label }));
  return (
    <>
      <Table
        variant="container"
        wrapLines
        stickyHeader
        items={[...(pages.data?.rows ?? [])]}
        trackBy={({ line }) => String(line)}
        loading={pages.data === undefined && pages.error === null}
        loadingText={strings.loading.text}
        columnDefinitions={rowColumns(pages.data?.columns ?? [], callingCode)}
        {...(mayCancel ? { selectionType: 'multi' as const } : {})}
        selectedItems={[...selected]}
        onSelectionChange={({ detail }) => setSelected(detail.selectedItems)}
        ariaLabels={{
          selectionGroupLabel: texts.selection,
          allItemsSelectionLabel: () => texts.selectAll,
          itemSelectionLabel: (_data, { line }) => texts.selectRow(line),
        }}
        header={
          <Header
            variant="h2"
            actions={
              mayCancel && (
                <Button disabled={selected.length === 0} onClick={() => setCancelling(true)}>
                  {texts.cancel(selected.length)}
                </Button>
              )
            }
          >
            {texts.title}
          </Header>
        }
        filter={
          <div className="filters">
            <Input
              type="search"
              value={text}
              placeholder={texts.search}
              ariaLabel={texts.search}
              onChange={({ detail }) => setText(detail.value)}
            />
            <Multiselect
              selectedOptions={options.filter(({ value }) => outcomes.includes(value))}
              options={options}
              placeholder={texts.anyOutcome}
              ariaLabel={texts.outcome}
              hideTokens
              onChange={({ detail }) => setOutcomes(detail.selectedOptions.flatMap(({ value }) => value ?? []))}
            />
          </div>
        }
        pagination={
          <Pagination
            currentPageIndex={pages.index + 1}
            pagesCount={pages.known}
            openEnd={pages.isOpenEnd}
            onChange={({ detail }) => pages.goTo(detail.currentPageIndex - 1)}
          />
        }
        empty={pages.error === null ? texts.none : <ProblemText error={pages.error} />}
      />
      {isCancelling && (
        <CancelDialog
          item={item}
          lines={selected.map(({ line }) => line)}
          onClose={() => {
            setCancelling(false);
            setSelected([]);
          }}
        />
      )}
    </>
  );
}

/** Pages by cursor: a page can be opened once the page before it is known. */
function useRowPages(importId: string, filter: { readonly text: string; readonly outcomes: readonly string[] }) {
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
