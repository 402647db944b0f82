// Every number of a plan, page by page, with its group, its day and its warnings. A number can be left out.

import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { columnLabel } from '#shared/text/wording.ts';
import type { Answer, ImportDetails, ImportRow as Row } from '../../api/answers.ts';
import { useDelayed } from '../../api/queries.ts';
import { useKept } from '../../app/kept-work.ts';
import { ProblemText } from '../../app/notices.tsx';
import { useMay } from '../../app/session.tsx';
import { formatDay } from '../../text/format.ts';
import { hasAllRows, LeaveOut, RowPagination, selectionLabels, useRowPages, useSelection } from './row-pages.tsx';

/** What a plan sends. */
const outcomes = ['waiting'] as const;

export function PlanNumbers({ item }: { readonly item: ImportDetails }) {
  const mayLeaveOut = useMay('uploader') && item.canChangeRows;
  // The tab is away while the file is read again without a number that was left out.
  const [text, setText] = useKept(`${item.importId}.plan-search`, () => '');
  const [selected, setSelected] = useSelection(item);
  const { data, error, ...pages } = useRowPages(item, { text: useDelayed(text.trim()), outcomes });
  return (
    <Table
      variant="container"
      wrapLines
      items={[...(data?.rows ?? [])]}
      trackBy={({ line }) => String(line)}
      loading={error === null && (data === undefined || pages.isSearching || !hasAllRows(data))}
      loadingText="Loading"
      columnDefinitions={columnsOf(data?.columns ?? [])}
      {...(mayLeaveOut ? { selectionType: 'multi' as const } : {})}
      selectedItems={[...selected]}
      onSelectionChange={({ detail }) => setSelected(detail.selectedItems)}
      ariaLabels={{ ...selectionLabels(), tableLabel: 'Numbers in the plan' }}
      header={
        <Header variant="h2" actions={mayLeaveOut && <LeaveOut item={item} selected={selected} />}>
          Numbers in the plan
        </Header>
      }
      filter={
        <Input
          type="search"
          value={text}
          placeholder="Find a number, a SIM or your reference"
          ariaLabel="Find a number, a SIM or your reference"
          onChange={({ detail }) => setText(detail.value)}
        />
      }
      pagination={<RowPagination {...pages} />}
      empty={error === null ? 'No number of the plan fits the search.' : <ProblemText error={error} />}
    />
  );
}

/** By which a person knows a row, the first of them first. */
const identifying = ['msisdn', 'serialNo', 'serialNumber', 'reference'];

function columnsOf(inFile: Answer<'listRows'>['columns']): TableProps.ColumnDefinition<Row>[] {
  const known = identifying
    .map((name) => ({ name, place: inFile.findIndex((column) => column.name === name) }))
    .filter(({ place }) => place >= 0);
  return [
    { id: 'line', header: 'Line', cell: ({ line }) => line, width: 80 },
    ...known.map(({ name, place }, index) => ({
      id: name,
      header: columnLabel(name),
      isRowHeader: index === 0,
      minWidth: 150,
      cell: ({ cells }: Row) => <span className="digits">{cells[place] || '–'}</span>,
    })),
    { id: 'group', header: 'Sent with', cell: ({ planned }) => planned?.group ?? '–', minWidth: 220 },
    { id: 'day', header: 'Day', cell: ({ planned }) => (planned?.day ? formatDay(planned.day) : '–') },
    { id: 'warnings', header: 'Warnings', cell: warningsOf, minWidth: 220 },
  ];
}

const warningsOf = ({ issues }: Row): string =>
  issues.flatMap(({ severity, message }) => (severity === 'warning' ? [message] : [])).join('; ') || '–';
