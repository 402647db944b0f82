// Every column that the operation needs, and what fills it: a column of the file, one value for all rows, or nothing.

import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { columnLabel } from '#shared/text/wording.ts';
import { strings } from '../../strings.ts';
import { headersOf, type Mapping, type OperationColumns } from './mapping.ts';

interface Props {
  readonly columns: OperationColumns;
  readonly mapping: Mapping;
  readonly values: Readonly<Record<string, string>>;
  /** Opens the field of a value for all rows. */
  readonly onEnterValue: (column: string) => void;
}

type Column = OperationColumns[number];

export function RequiredColumns({ columns, mapping, values, onEnterValue }: Props) {
  const needed = columns.filter(({ required, neededFor }) => required || neededFor !== null);
  const isFilled = ({ name }: Column) => headersOf(mapping, name).length > 0 || Boolean(values[name]);
  const { required: texts, table } = strings.columns;
  if (needed.length === 0) return null;
  const fill = (column: Column) => {
    const { name, required } = column;
    const headers = headersOf(mapping, name).join(', ');
    if (isFilled(column)) {
      const by = headers === '' ? texts.byValue(values[name] ?? '') : texts.byColumn(headers);
      return <StatusIndicator type="success">{by}</StatusIndicator>;
    }
    return (
      <span className="missing-column">
        <StatusIndicator type={required ? 'error' : 'warning'}>{texts.missing}</StatusIndicator>
        {column.repeats && values[name] === undefined && (
          <Button variant="inline-link" ariaLabel={texts.enterOf(columnLabel(name))} onClick={() => onEnterValue(name)}>
            {texts.enter}
          </Button>
        )}
      </span>
    );
  };
  return (
    <Table
      variant="container"
      contentDensity="compact"
      wrapLines
      items={[...needed].sort((one, other) => Number(isFilled(one)) - Number(isFilled(other)))}
      trackBy="name"
      header={
        <Header variant="h2" counter={`(${texts.filled(needed.filter(isFilled).length, needed.length)})`}>
          {texts.title}
        </Header>
      }
      columnDefinitions={[
        {
          id: 'column',
          header: table.needed,
          isRowHeader: true,
          minWidth: 160,
          cell: ({ name, neededFor }) => (
            <>
              {columnLabel(name)} {neededFor !== null && <span className="quiet">{texts.neededFor(neededFor)}</span>}
            </>
          ),
        },
        { id: 'fill', header: table.filledBy, cell: fill, minWidth: 240 },
      ]}
    />
  );
}
