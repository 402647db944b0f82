// What a person answers about a file: questions that are open before it is read, and values that nobody knows.
import Alert from '@cloudscape-design/components/alert';
import Autosuggest from '@cloudscape-design/components/autosuggest';
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { nameKey } from '#shared/row/did-you-mean.ts';
import { columnLabel, truncate } from '#shared/text/wording.ts';
import type { Answer, ImportDetails } from '../../api/answers.ts';
import { useRead } from '../../api/queries.ts';
import { itemsFor } from '../../components/column-values.tsx';
import { numbers } from '../../text/words.ts';
import { headersOf, type Mapping, type OperationColumns } from './column-table.tsx';

type Preview = Answer<'previewImport'>;

/** What is known of the file, and what a person has chosen so far. */
interface Answered {
  readonly item: ImportDetails;
  readonly preview: Preview;
  readonly columns: OperationColumns;
  readonly mapping: Mapping;
  readonly values: Readonly<Record<string, string>>;
  readonly dateOrder: string | undefined;
}

interface Questions {
  /** The file is not read before they are answered. */
  readonly open: readonly string[];
  /** Leaving everything as it is also answers them. */
  readonly doubts: readonly string[];
}

/** Columns that are read as dates, and have one of two meanings. */
export function ambiguousDates({ preview, columns, mapping }: Pick<Answered, 'preview' | 'columns' | 'mapping'>) {
  const ofDates = new Set(columns.flatMap(({ name, isDate }) => (isDate ? [name] : [])));
  return preview.dates.filter(({ header }) => ofDates.has(mapping[header] ?? ''));
}

/** Asked by the preview, which follows what a person chooses. */
const askedByPreview: readonly string[] = [
  'FILE_SHEET_AMBIGUOUS',
  'HEADER_MISSING_COLUMN',
  'HEADER_NEAR_MISS',
  'HEADER_DUPLICATE_COLUMN',
  'DATE_ORDER_AMBIGUOUS',
];

export function questionsOf({ item, preview, columns, mapping, values, dateOrder }: Answered): Questions {
  const missing = columns.filter(
    ({ name, required }) => required && headersOf(mapping, name).length === 0 && !values[name]?.trim(),
  );
  const dates = ambiguousDates({ preview, columns, mapping }).filter(({ order }) => order === null);
  const ofColumns = preview.questions.filter(({ column }) => !mapping[column ?? '']);
  const ofFile = item.issues.filter(({ severity, code }) => severity === 'error' && !askedByPreview.includes(code));
  return {
    open: [
      ...missing.map(
        ({ name, repeats }) =>
          `Which column is "${columnLabel(name)}"? Choose it below${repeats ? ', or enter one value for all rows' : ''}.`,
      ),
      ...(dateOrder === undefined ? dates.map(({ header, example }) => `"${header}": which day is ${example}?`) : []),
    ],
    doubts: [
      ...new Set([
        ...ofColumns.map(({ code, column, message }) =>
          code === 'HEADER_NEAR_MISS' && column !== null
            ? `What is "${column}"? Choose it below, or leave it as your own column.`
            : message,
        ),
        ...(item.asksHowToRead ? ofFile.map(({ message }) => message) : []),
      ]),
    ],
  };
}

/** What a person must say before the file can be read. Each question disappears with its answer. */
export function OpenQuestions({ open, doubts }: Questions) {
  const all = [...open, ...doubts];
  if (all.length === 0) return null;
  return (
    <Alert type="info" header={all.length === 1 ? '1 question' : `${all.length} questions`}>
      <ul className="plain-list">
        {all.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Alert>
  );
}

export type Meanings = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Value {
  readonly column: string;
  readonly value: string;
  /** Of the last reading; undefined: each of its rows was read as what a person said. */
  readonly rows: number | undefined;
}

interface ValuesProps {
  readonly importId: string;
  /** So far. */
  readonly meanings: Meanings;
  readonly onChange: (meanings: Meanings) => void;
}

/** A field that was left empty says nothing. */
export function withoutEmptyMeanings(meanings: Meanings = {}): Meanings {
  const filled = Object.entries(meanings).map(([column, values]) => {
    const said = Object.entries(values).flatMap(([text, means]) => (means.trim() === '' ? [] : [[text, means.trim()]]));
    return [column, Object.fromEntries(said)] as const;
  });
  return Object.fromEntries(filled.filter(([, values]) => Object.keys(values).length > 0));
}

/** Those that nobody knows, the most rows first; then what was said before. */
function valuesOf(unknown: Answer<'listProblems'>['unknownValues'], meanings: Meanings): Value[] {
  const said = Object.entries(meanings).flatMap(([column, values]) =>
    Object.keys(values).map((value) => ({ column, value, rows: undefined })),
  );
  const isAsked = ({ column, value }: Value) =>
    unknown.some((one) => one.column === column && nameKey(one.value) === nameKey(value));
  return [...unknown, ...said.filter((value) => !isAsked(value))];
}

/** Values of the file that no list of the service has, each once: a person chooses what it means. */
export function UnknownValues({ importId, meanings, onChange }: ValuesProps) {
  const { data: problems } = useRead('listProblems', { path: { importId }, query: { severity: 'error' } });
  const { data: reference } = useRead('getReferenceData', { query: {} });
  const items = valuesOf(problems?.unknownValues ?? [], meanings);
  if (items.length === 0) return null;
  const writtenOf = ({ column, value }: Value): string =>
    Object.keys(meanings[column] ?? {}).find((text) => nameKey(text) === nameKey(value)) ?? value;
  const say = (item: Value, means: string) =>
    onChange({ ...meanings, [item.column]: { ...meanings[item.column], [writtenOf(item)]: means } });
  return (
    <Table
      variant="container"
      wrapLines
      items={items}
      trackBy={({ column, value }) => `${column} ${value}`}
      header={
        <Header
          variant="h2"
          counter={`(${items.length})`}
          description="The service has no items with these names. Say which one each means: its rows are read as if they named it."
        >
          What values of the file mean
        </Header>
      }
      columnDefinitions={[
        {
          id: 'value',
          header: 'In the file',
          isRowHeader: true,
          minWidth: 110,
          cell: ({ column, value, rows }) => (
            <>
              <b className="cell-text">{truncate(value, 60)}</b>
              <Box color="text-body-secondary">
                {rows === undefined ? columnLabel(column) : `${columnLabel(column)}, ${numbers(rows)}`}
              </Box>
            </>
          ),
        },
        {
          id: 'means',
          header: 'Means',
          minWidth: 150,
          cell: (item) => (
            <Autosuggest
              value={meanings[item.column]?.[writtenOf(item)] ?? ''}
              options={itemsFor(item.column, reference).map((name) => ({ value: name }))}
              ariaLabel={`What "${item.value}" means`}
              enteredTextLabel={(text) => `Use "${text}"`}
              placeholder="As it is"
              empty="No suggestion. Enter the value"
              expandToViewport
              onChange={({ detail }) => say(item, detail.value)}
            />
          ),
        },
      ]}
    />
  );
}
