// Which column of the file is what: each as it is read, and what every number needs.

import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { columnLabel, truncate } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';

/** Names in the header of a file, and the column that each of them is; '' is the user's own column. */
export type Mapping = Readonly<Record<string, string>>;
type FileColumns = Answer<'previewImport'>['columns'];
export type OperationColumns = Answer<'listOperations'>['operations'][number]['columns'];

export const mappingOf = (columns: FileColumns): Mapping =>
  Object.fromEntries(
    columns.map(({ header, name, option }) => [header, option === null ? (name ?? '') : `${name}:${option}`]),
  );

/** The saved choices for columns of the file. */
export const withSaved = (detected: Mapping, saved: Mapping = {}): Mapping =>
  Object.fromEntries(Object.entries(detected).map(([header, name]) => [header, saved[header] ?? name]));

/** The columns that have a value of `name`. */
export const headersOf = (mapping: Mapping, name: string): string[] =>
  Object.keys(mapping).filter((header) => mapping[header] === name || mapping[header]?.startsWith(`${name}:`));

/** Several columns may have entries of a list, and several may be bars. */
const repeated: readonly string[] = ['services', 'boltOns', 'block', 'allow'];

/** The column that was `name` before becomes the user's own. */
const withColumn = (mapping: Mapping, header: string, name: string): Mapping => ({
  ...Object.fromEntries(
    Object.entries(mapping).map(([other, is]) => [other, is === name && !repeated.includes(name) ? '' : is]),
  ),
  [header]: name,
});

/** What a person changed. */
export const changesOf = (mapping: Mapping, detected: Mapping): Mapping =>
  Object.fromEntries(Object.entries(mapping).filter(([header, name]) => detected[header] !== name));

/** Leaving a column unchanged also answers the question about it. */
function answersOf(mapping: Mapping, questions: Answer<'previewImport'>['questions']): Mapping {
  const asked = new Set(questions.flatMap(({ code, column }) => (code === 'HEADER_NEAR_MISS' ? (column ?? []) : [])));
  const hasTwins = questions.some(({ code }) => code === 'HEADER_DUPLICATE_COLUMN');
  return Object.fromEntries(
    Object.entries(mapping).filter(([header, name]) => asked.has(header) || (hasTwins && name === '')),
  );
}

/**
 * What a person sees is what is read: where a name that was given earlier is of no column of this file, or is written
 * in another way, all columns are named.
 */
export function mappingToRead(
  mapping: Mapping,
  detected: Mapping,
  { named = {}, questions }: { readonly named: Mapping | undefined } & Pick<Answer<'previewImport'>, 'questions'>,
): Mapping {
  if (Object.keys(named).some((header) => detected[header] === undefined)) return mapping;
  const again = Object.entries(mapping).filter(([header]) => named[header] !== undefined);
  return { ...Object.fromEntries(again), ...changesOf(mapping, detected), ...answersOf(mapping, questions) };
}

interface TableProps {
  readonly preview: Answer<'previewImport'>;
  readonly columns: OperationColumns;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

const shownValues = 3;
const shownCharacters = 60;

const optionTexts = {
  set: (option: string) => `Only ${option}`,
  block: (option: string) => `Only ${option}: yes blocks it`,
  allow: (option: string) => `Only ${option}: yes allows it`,
};

/** `block:Roaming` is a column of which yes blocks Roaming. */
function labelOf(choice: string): string {
  const [kind = '', ...name] = choice.split(':');
  const word = kind === 'block' || kind === 'allow' ? kind : 'set';
  return optionTexts[word](name.join(':'));
}

const barColumns = { block: 'Bars that it blocks', allow: 'Bars that it allows' };

function choicesOfOperation(columns: OperationColumns) {
  const bars = columns.some(({ name }) => name === 'services') ? Object.entries(barColumns) : [];
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

export function ColumnTable({ preview, columns, mapping, onChange }: TableProps) {
  const items = preview.columns.map((column, place) => ({
    ...column,
    place,
    values: preview.rows.flatMap((row) => row[place] || []).slice(0, shownValues),
  }));
  const own = { value: '', label: 'My own column' };
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
          Columns
        </Header>
      }
      empty="The file has no columns."
      columnDefinitions={[
        {
          id: 'header',
          header: 'In the file',
          cell: ({ header, values }) => (
            <>
              <b className="cell-text">{header}</b>
              <FirstValues values={values} />
            </>
          ),
          isRowHeader: true,
          minWidth: 90,
        },
        {
          id: 'column',
          header: 'Read as',
          minWidth: 120,
          cell: ({ place, ...column }) => (
            <Select
              selectedOption={choicesOf(column).find(({ value }) => value === mapping[column.header]) ?? own}
              options={choicesOf(column)}
              ariaLabel={`Column ${column.header}`}
              filteringType="auto"
              onChange={({ detail }) => onChange(withColumn(mapping, column.header, detail.selectedOption.value ?? ''))}
            />
          ),
        },
      ]}
    />
  );
}

interface RequiredProps {
  readonly columns: OperationColumns;
  readonly mapping: Mapping;
  readonly values: Readonly<Record<string, string>>;
  /** Opens the field of a value for all rows. */
  readonly onEnterValue: (column: string) => void;
}

type Column = OperationColumns[number];

/**
 * Every column that the operation needs, and what fills it: a column of the file, one value for all rows, or nothing.
 */
export function RequiredColumns({ columns, ...filling }: RequiredProps) {
  const always = columns.filter(({ required }) => required);
  // Whether a row needs these depends on its other cells, so the file may be right without them.
  const needed = [...always, ...columns.filter(({ required, neededFor }) => !required && neededFor !== null)];
  const isFilled = ({ name }: Column) => isFilledIn(name, filling);
  if (needed.length === 0) return null;
  return (
    <Table
      variant="container"
      contentDensity="compact"
      wrapLines
      items={[...needed].sort((one, other) => Number(isFilled(one)) - Number(isFilled(other)))}
      trackBy="name"
      header={
        <Header variant="h2" counter={`(${always.filter(isFilled).length} of ${always.length} filled)`}>
          What every number needs
        </Header>
      }
      columnDefinitions={[
        {
          id: 'column',
          header: 'Needed',
          isRowHeader: true,
          minWidth: 110,
          cell: ({ name, neededFor }) => (
            <>
              {columnLabel(name)} {neededFor !== null && <span className="quiet">{`For ${neededFor}`}</span>}
            </>
          ),
        },
        { id: 'fill', header: 'Filled by', cell: (column) => <FilledBy {...filling} column={column} />, minWidth: 170 },
      ]}
    />
  );
}

type Filling = Omit<RequiredProps, 'columns'>;

const isFilledIn = (name: string, { mapping, values }: Filling): boolean =>
  headersOf(mapping, name).length > 0 || Boolean(values[name]);

function FilledBy({ column, ...filling }: Filling & { readonly column: Column }) {
  const { name, required, repeats } = column;
  const { mapping, values, onEnterValue } = filling;
  const headers = headersOf(mapping, name).join(', ');
  if (isFilledIn(name, filling)) {
    const by = headers === '' ? `"${values[name] ?? ''}" for all rows` : `Column "${headers}"`;
    return <StatusIndicator type="success">{by}</StatusIndicator>;
  }
  return (
    <span className="missing-column">
      {required ? (
        <StatusIndicator type="error">Missing: choose the column below</StatusIndicator>
      ) : (
        <StatusIndicator type="info">Not in the file</StatusIndicator>
      )}
      {repeats && values[name] === undefined && (
        <Button
          variant="inline-link"
          ariaLabel={`or enter one value for all rows: ${columnLabel(name)}`}
          onClick={() => onEnterValue(name)}
        >
          or enter one value for all rows
        </Button>
      )}
    </span>
  );
}
