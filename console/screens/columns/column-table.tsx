// The columns of the file beside those of simporter, with their first values.

import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import Table from '@cloudscape-design/components/table';
import { columnLabel, truncate } from '#shared/text/wording.ts';
import type { Answer } from '../../api/types.ts';
import { strings } from '../../strings.ts';
import { type FileColumns, type Mapping, type OperationColumns, withColumn } from './mapping.ts';

interface Props {
  readonly preview: Answer<'previewImport'>;
  readonly columns: OperationColumns;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

const shownValues = 3;
const shownCharacters = 60;

/** `block:Roaming` is a column of which yes blocks Roaming. */
function labelOf(choice: string): string {
  const [kind = '', ...name] = choice.split(':');
  const word = kind === 'block' || kind === 'allow' ? kind : 'set';
  return strings.columns.table.optionOf[word](name.join(':'));
}

function choicesOfOperation(columns: OperationColumns) {
  const bars = columns.some(({ name }) => name === 'services') ? Object.entries(strings.columns.table.bars) : [];
  return [
    ...columns.map(({ name, help }) => ({ value: name, label: columnLabel(name), description: help })),
    ...bars.map(([value, label]) => ({ value, label })),
  ];
}

const FirstValues = ({ values }: { readonly values: readonly string[] }) => (
  <Box color="text-body-secondary">
    <span className="cell-text">{values.map((value) => truncate(value, shownCharacters)).join(' · ')}</span>
  </Box>
);

export function ColumnTable({ preview, columns, mapping, onChange }: Props) {
  const texts = strings.columns.table;
  const items = preview.columns.map((column, place) => ({
    ...column,
    place,
    values: preview.rows.flatMap((row) => row[place] || []).slice(0, shownValues),
  }));
  const own = { value: '', label: texts.own };
  const options = [own, ...choicesOfOperation(columns)];
  const choicesOf = ({ choices }: FileColumns[number]) => [
    ...options,
    ...choices.map((value) => ({ value, label: labelOf(value) })),
  ];
  return (
    <Table
      variant="container"
      wrapLines
      items={items}
      trackBy={({ place }) => String(place)}
      header={
        <Header variant="h2" counter={`(${items.length})`}>
          {texts.title}
        </Header>
      }
      empty={texts.empty}
      columnDefinitions={[
        {
          id: 'header',
          header: texts.inFile,
          cell: ({ header }) => <b className="cell-text">{header}</b>,
          isRowHeader: true,
          minWidth: 150,
        },
        {
          id: 'values',
          header: texts.values,
          cell: ({ values }) => <FirstValues values={values} />,
          minWidth: 120,
        },
        {
          id: 'column',
          header: texts.column,
          minWidth: 220,
          cell: ({ place, ...column }) => (
            <Select
              selectedOption={choicesOf(column).find(({ value }) => value === mapping[column.header]) ?? own}
              options={choicesOf(column)}
              ariaLabel={texts.columnOf(column.header)}
              filteringType="auto"
              onChange={({ detail }) => onChange(withColumn(mapping, column.header, detail.selectedOption.value ?? ''))}
            />
          ),
        },
      ]}
    />
  );
}
