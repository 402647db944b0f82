// The operations, their templates, and the reference data.
import { buffer } from 'node:stream/consumers';
import type { AnswerOf } from '#shared/api/contract.ts';
import { csvRow } from '#shared/csv/csv-row.ts';
import { referenceTableNames } from '#shared/domain/reference-tables.ts';
import type { Column } from '#shared/operations/kit/operation.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { templateSheet } from '#shared/read-models/file-tables.ts';
import { readReferenceTables } from '#shared/read-models/reference-data.ts';
import { templateValues } from '#shared/read-models/template-values.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';

const isSecret = ({ name }: Column): boolean => name === 'pac';

export const listOperations = async (): Promise<AnswerOf<'listOperations'>> => ({
  operations: [...operations.values()].map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => ({
      name: column.name,
      required: column.required,
      repeats: column.repeats,
      secret: isSecret(column),
      aliases: [...column.aliases],
      help: column.help,
      example: column.example,
    })),
  })),
});

export interface FileAnswer {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** Every column and one example row, with values of the live reference data where sync has written it. */
export async function getTemplate(
  { path, query }: Call<'getTemplate'>,
  dependencies: ReadDependencies,
): Promise<FileAnswer> {
  const operation = operationNamed(path.operation);
  if (operation === undefined) throw notFound(`There is no operation "${path.operation}".`);
  const { columns } = operation;
  const tables = await readReferenceTables(dependencies);
  const [values = {}] = tables === undefined ? [] : templateValues(tables, columns);
  const names = columns.map(({ name }) => name);
  const example = columns.map(({ name, example: cell }) => values[name] ?? cell);
  if (query.format !== 'xlsx') {
    const content = csvRow(names) + csvRow(example);
    return { fileName: `${path.operation}.csv`, contentType: 'text/csv; charset=utf-8', content };
  }
  const { workbookType, writeWorkbook } = await import('#shared/workbook/write-workbook.ts');
  const sheet = templateSheet({ operation: path.operation, header: names, rows: [example] }, tables);
  const content = await buffer(writeWorkbook(sheet));
  return { fileName: `${path.operation}.xlsx`, contentType: workbookType, content };
}

export async function getReferenceData(
  { query }: Call<'getReferenceData'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'getReferenceData'>> {
  const wanted = query.lists?.split(',');
  const unknown = wanted?.find((name) => !(referenceTableNames as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new ApiProblem('invalid-request', `There is no list "${unknown}": use ${referenceTableNames.join(', ')}.`);
  }
  const tables = await readReferenceTables(dependencies);
  if (tables === undefined) {
    const detail = 'Sync writes the reference data once a day and after a deployment. Try again in a few minutes.';
    throw new ApiProblem('not-ready', detail, { retryAfterSeconds: 60 });
  }
  const lists = referenceTableNames.filter((name) => wanted === undefined || wanted.includes(name));
  return { lists: Object.fromEntries(lists.map((name) => [name, tables[name].map((record) => ({ ...record }))])) };
}
