// The rows of an import, page by page, with filters. The browser never loads all rows.
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Link from '@cloudscape-design/components/link';
import Multiselect from '@cloudscape-design/components/multiselect';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { isActive } from '#shared/import/import-state.ts';
import { sharesOf } from '#shared/outcome/outcome.ts';
import { isOwnText } from '#shared/row/own-text.ts';
import type { Answer, ImportDetails, ImportRow as Row } from '../../api/answers.ts';
import { useCommand, useDelayed } from '../../api/queries.ts';
import { ProblemText, useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { OutcomeMark, StatusText } from '../../components/outcome-marks.tsx';
import { formatNumber } from '../../text/format.ts';
import { numbers } from '../../text/words.ts';
import { useSentLines } from './readings.ts';
import { LeaveOut, RowPagination, selectionLabels, useRowPages, useSelection } from './row-pages.tsx';

interface TabProps {
  readonly item: ImportDetails;
  /** Only the rows of this request. */
  readonly request: string | undefined;
}

export default function RowsTab({ item, request }: TabProps) {
  const { callingCode } = useSession().environment;
  const mayCancel = useMay('approver') && isActive(item);
  const mayLeaveOut = useMay('uploader') && item.canChangeRows;
  const [filter, setFilter] = useState<Filter>({ text: '', outcomes: [] });
  const [selected, setSelected] = useSelection(item);
  const [isCancelling, setCancelling] = useState(false);
  const pages = useRowPages(item, { ...filter, text: useDelayed(filter.text.trim()), request });
  const sent = useSentLines(item);
  return (
    <>
      <Table
        variant="container"
        wrapLines
        stickyHeader
        items={[...(pages.data?.rows ?? [])]}
        trackBy={({ line }) => String(line)}
        loading={pages.error === null && (pages.data === undefined || pages.isSearching)}
        loadingText="Loading"
        columnDefinitions={rowColumns(pages.data?.columns ?? [], { callingCode, importId: item.importId, sent })}
        {...(mayCancel || mayLeaveOut ? { selectionType: 'multi' as const } : {})}
        selectedItems={[...selected]}
        onSelectionChange={({ detail }) => setSelected(detail.selectedItems)}
        ariaLabels={selectionLabels()}
        header={
          <Header
            variant="h2"
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                {request !== undefined && <Button href={`#/imports/${item.importId}/rows`}>Show all numbers</Button>}
                {mayCancel && (
                  <Button disabled={selected.length === 0} onClick={() => setCancelling(true)}>
                    {selected.length === 0 ? 'Cancel numbers' : `Cancel ${numbers(selected.length)}`}
                  </Button>
                )}
                {mayLeaveOut && <LeaveOut item={item} selected={selected} />}
              </SpaceBetween>
            }
          >
            {request === undefined ? 'Numbers of the file' : `Numbers of request ${request}`}
          </Header>
        }
        filter={<RowFilter item={item} filter={filter} onChange={setFilter} />}
        pagination={<RowPagination {...pages} />}
        empty={pages.error === null ? 'No number fits the filter.' : <ProblemText error={pages.error} />}
      />
      {isCancelling && (
        <CancelDialog item={item} lines={selected.map(({ line }) => line)} onClose={() => setCancelling(false)} />
      )}
    </>
  );
}

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
  const options = sharesOf(item.outcomes, item.operation).map(({ outcome, word: label }) => ({
    value: outcome,
    label,
  }));
  return (
    <div className="filters">
      <Input
        type="search"
        value={filter.text}
        placeholder="Find a number or a text"
        ariaLabel="Find a number or a text"
        onChange={({ detail }) => onChange({ ...filter, text: detail.value })}
      />
      <Multiselect
        selectedOptions={options.filter(({ value }) => filter.outcomes.includes(value))}
        options={options}
        placeholder="Any outcome"
        ariaLabel="Outcome"
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

function CancelDialog({ item, lines, onClose }: Props) {
  const [, navigate] = useLocation();
  const { notify } = useNotices();
  const cancel = useCommand('cancelRows', {
    failed: 'The cancellation was not planned',
    onSuccess: ({ importId, rows, notCancellable }) => {
      notify({
        type: 'info',
        header: `The cancellation of ${numbers(rows)} is planned. Approve it to cancel them`,
        text:
          notCancellable.length === 0
            ? ''
            : `${numbers(notCancellable.length)} cannot be cancelled: they are not in a port in progress.`,
      });
      onClose();
      navigate(`/imports/${importId}`);
    },
    isInDialog: true,
  });
  const run = () => cancel.run({ path: { importId: item.importId }, body: { lines: [...lines] } });
  return (
    <Dialog
      title={`Plan the cancellation of ${numbers(lines.length)}?`}
      onClose={onClose}
      problem={cancel.problem}
      confirm={{ text: 'Create the plan', run, isRunning: cancel.isRunning }}
    >
      This creates a plan. The numbers are cancelled when the plan is approved.
    </Dialog>
  );
}

type FileColumn = Answer<'listRows'>['columns'][number];

interface Options {
  readonly callingCode: string;
  readonly importId: string;
  /** The lines that a correction has. */
  readonly sent: ReadonlySet<number>;
}

/** Whatever identifies the row: its number, or its SIM. */
const identifiers = ['msisdn', 'serialNo', 'serialNumber'];

/** The columns of the table of rows: number and outcome first, then what happened, then the columns of the file. */
function rowColumns(
  columns: readonly FileColumn[],
  { callingCode, importId, sent }: Options,
): TableProps.ColumnDefinition<Row>[] {
  const place = identifiers.map((name) => columns.findIndex((column) => column.name === name)).find((at) => at >= 0);
  return [
    { id: 'line', header: 'Line', cell: ({ line }) => line, width: 80 },
    {
      id: 'number',
      header: 'Number',
      isRowHeader: true,
      minWidth: 150,
      cell: ({ cells, outcome }) => (
        <NumberCell
          text={place === undefined ? '' : (cells[place] ?? '')}
          callingCode={callingCode}
          outcome={outcome}
        />
      ),
    },
    { id: 'outcome', header: 'Outcome', cell: (row) => <OutcomeMark row={row} />, minWidth: 150 },
    { id: 'status', header: 'Status', cell: ({ status }) => <StatusText name={status} />, minWidth: 140 },
    { id: 'message', header: 'Message', cell: ({ message }) => message || '–', minWidth: 240 },
    {
      id: 'whatToDo',
      header: 'What to do',
      minWidth: 240,
      cell: (row) => <WhatToDo row={row} importId={importId} isSent={sent.has(row.line)} />,
    },
    {
      id: 'port',
      header: 'Port',
      minWidth: 100,
      cell: ({ portId }) => (portId === '' ? '–' : <Link href={`#/ports/${portId}`}>Open</Link>),
    },
    // The user's own columns; those of the operation are in the file and in the port.
    ...columns.flatMap(({ header, name }, index) =>
      isOwnText(name)
        ? [{ id: `file-${index}`, header, cell: ({ cells }: Row) => cells[index] || '–', minWidth: 120 }]
        : [],
    ),
  ];
}

interface WhatToDoProps {
  readonly row: Row;
  readonly importId: string;
  readonly isSent: boolean;
}

function WhatToDo({ row: { outcome, whatToDo }, importId, isSent }: WhatToDoProps) {
  if (isSent && isOpen(outcome)) return 'No action needed: the row is fixed in a correction';
  if (outcome === 'rejected') {
    return <Link href={`#/imports/${importId}/review`}>Review and fix</Link>;
  }
  return whatToDo || '–';
}

/** A correction can send the row. */
const isOpen = (outcome: Row['outcome']): boolean =>
  outcome === 'rejected' || outcome === 'declined' || outcome === 'cancelled';

interface NumberCellProps {
  readonly text: string;
  readonly callingCode: string;
  readonly outcome: Row['outcome'];
}

/** An invalid number is not searched for. */
function NumberCell({ text, callingCode, outcome }: NumberCellProps) {
  if (outcome === 'rejected') return <span className="digits">{text || '–'}</span>;
  // As in the file, where it does not say of which country it is.
  const shown = text.startsWith(callingCode) ? formatNumber(text, callingCode) : text;
  return (
    <Link href={`#/numbers/${encodeURIComponent(text)}`}>
      <span className="digits">{shown}</span>
    </Link>
  );
}
