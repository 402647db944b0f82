// The rows of an import, page by page, with filters. The browser never loads all rows.

import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import Pagination from '@cloudscape-design/components/pagination';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { isActive } from '#shared/import/import-state.ts';
import { sharesOf } from '#shared/outcome/outcome.ts';
import type { ImportDetails, ImportRow as Row } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemText } from '../../components/problem-text.tsx';
import { strings } from '../../strings.ts';
import { rowColumns } from './row-columns.tsx';
import { useDelayed } from './use-delayed.ts';
import { useRowPages } from './use-row-pages.ts';

export default function RowsTab({ item }: { readonly item: ImportDetails }) {
  const { callingCode } = useSession().environment;
  const mayCancel = useMay('approver') && isActive(item);
  const [filter, setFilter] = useState<Filter>({ text: '', outcomes: [] });
  const [selected, setSelected] = useState<readonly Row[]>([]);
  const [isCancelling, setCancelling] = useState(false);
  const pages = useRowPages(item.importId, { ...filter, text: useDelayed(filter.text.trim()) });
  const texts = strings.rows;
  return (
    <>
      <Table
        variant="container"
        wrapLines
        stickyHeader
        items={[...(pages.data?.rows ?? [])]}
        trackBy={({ line }) => String(line)}
        loading={pages.error === null && (pages.data === undefined || pages.isSearching)}
        loadingText={strings.loading.text}
        columnDefinitions={rowColumns(pages.data?.columns ?? [], { callingCode, importId: item.importId })}
        {...(mayCancel ? { selectionType: 'multi' as const } : {})}
        selectedItems={[...selected]}
        onSelectionChange={({ detail }) => setSelected(detail.selectedItems)}
        ariaLabels={selectionLabels()}
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
        filter={<RowFilter item={item} filter={filter} onChange={setFilter} />}
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
        <CancelDialog item={item} lines={selected.map(({ line }) => line)} onClose={() => setCancelling(false)} />
      )}
    </>
  );
}

const selectionLabels = () => ({
  selectionGroupLabel: strings.rows.selection,
  allItemsSelectionLabel: () => strings.rows.selectAll,
  itemSelectionLabel: (_data: unknown, { line }: Row) => strings.rows.selectRow(line),
});

interface Filter {
  readonly text: string;
  readonly outcomes: readonly string[];
}

interface RowFilterProps {
  readonly item: ImportDetails;
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

function RowFilter({ item, filter, onChange }: RowFilterProps) {
  const texts = strings.rows;
  const options = sharesOf(item.outcomes, item.operation).map(({ outcome, word: label }) => ({
    value: outcome,
    label,
  }));
  return (
    <div className="filters">
      <Input
        type="search"
        value={filter.text}
        placeholder={texts.search}
        ariaLabel={texts.search}
        onChange={({ detail }) => onChange({ ...filter, text: detail.value })}
      />
      <Multiselect
        selectedOptions={options.filter(({ value }) => filter.outcomes.includes(value))}
        options={options}
        placeholder={texts.anyOutcome}
        ariaLabel={texts.outcome}
        hideTokens
        onChange={({ detail }) =>
          onChange({ ...filter, outcomes: detail.selectedOptions.flatMap(({ value }) => value ?? []) })
        }
      />
    </div>
  );
}

interface Props {
  readonly item: ImportDetails;
  readonly lines: readonly number[];
  readonly onClose: () => void;
}

export function CancelDialog({ item, lines, onClose }: Props) {
  const [, navigate] = useLocation();
  const { notify } = useNotices();
  const { cancellation } = strings;
  const cancel = useCommand('cancelRows', {
    failed: cancellation.failed,
    onSuccess: ({ importId, rows, notCancellable }) => {
      notify({ type: 'info', header: cancellation.planned(rows), text: cancellation.left(notCancellable.length) });
      onClose();
      navigate(`/imports/${importId}`);
    },
    isInDialog: true,
  });
  const run = () => cancel.run({ path: { importId: item.importId }, body: { lines: [...lines] } });
  return (
    <Dialog
      title={cancellation.title(lines.length)}
      onClose={onClose}
      problem={cancel.problem}
      confirm={{ text: cancellation.confirm, run, isRunning: cancel.isRunning }}
    >
      {cancellation.text}
    </Dialog>
  );
}
