// The columns of the table of rows: number and outcome first, then what happened, then the columns of the file.
import Link from '@cloudscape-design/components/link';
import type { TableProps } from '@cloudscape-design/components/table';
import type { Answer, ImportRow as Row } from '../../api/types.ts';
import { OutcomeMark } from '../../components/outcome-mark.tsx';
import { StatusText } from '../../components/status-text.tsx';
import { strings } from '../../strings.ts';
import { formatNumber } from '../../text/format.ts';

type FileColumn = Answer<'listRows'>['columns'][number];

/** Whatever identifies the row: its number, or its SIM. */
const identifiers = ['msisdn', 'serialNo', 'serialNumber'];

export function rowColumns(
  columns: readonly FileColumn[],
  { callingCode, importId }: { readonly callingCode: string; readonly importId: string },
): TableProps.ColumnDefinition<Row>[] {
  const place = identifiers.map((name) => columns.findIndex((column) => column.name === name)).find((at) => at >= 0);
  const texts = strings.rows.columns;
  return [
    { id: 'line', header: texts.line, cell: ({ line }) => line, width: 80 },
    {
      id: 'number',
      header: texts.number,
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
    { id: 'outcome', header: texts.outcome, cell: (row) => <OutcomeMark row={row} />, minWidth: 150 },
    { id: 'status', header: texts.status, cell: ({ status }) => <StatusText name={status} />, minWidth: 140 },
    { id: 'message', header: texts.message, cell: ({ message }) => message || '–', minWidth: 240 },
    {
      id: 'whatToDo',
      header: texts.whatToDo,
      minWidth: 240,
      cell: (row) => <WhatToDo row={row} importId={importId} />,
    },
    {
      id: 'port',
      header: texts.port,
      minWidth: 100,
      cell: ({ portId }) => (portId === '' ? '–' : <Link href={`#/ports/${portId}`}>{texts.openPort}</Link>),
    },
    // The user's own columns; those of the operation are in the file and in the port.
    ...columns.flatMap(({ header, name }, index) =>
      name !== null && name !== 'reference'
        ? []
        : [{ id: `file-${index}`, header, cell: ({ cells }: Row) => cells[index] || '–', minWidth: 120 }],
    ),
  ];
}

function WhatToDo({ row: { outcome, whatToDo }, importId }: { readonly row: Row; readonly importId: string }) {
  if (outcome === 'rejected') {
    return <Link href={`#/imports/${importId}/review`}>{strings.rows.columns.review}</Link>;
  }
  return whatToDo || '–';
}

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
