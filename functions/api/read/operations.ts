// The operations, their templates, and the reference data.
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { templateSheet } from '#shared/results/import-files.ts';
import { readReferenceTables, referenceTableNames, templateValues } from '#shared/results/reference-data.ts';
import { operationNames } from '#shared/text/identity.ts';
import { columnLabel } from '#shared/text/wording.ts';
import type { ApiReader } from '../context.ts';
import { ApiProblem, endpoint, notFound } from '../http/endpoint.ts';
import { text } from '../schemas.ts';

const operationColumn = z.object({
  name: z.string(),
  /** Its plain name for people. */
  label: z.string(),
  required: z.boolean(),
  /** Which rows need it where it is not required; null for none. */
  neededFor: z.string().nullable(),
  /** Its value is usually the same in many rows. */
  repeats: z.boolean(),
  /** Its values are secret: they can be written and never read. */
  secret: z.boolean(),
  isDate: z.boolean(),
  aliases: z.array(z.string()),
  help: z.string(),
  example: z.string(),
});

const operationList = z.object({
  operations: z.array(z.object({ name: z.enum(operationNames), columns: z.array(operationColumn) })),
});

const templatePath = z.object({ operation: z.enum(operationNames) });

const templateQuery = z.object({ format: z.enum(['csv', 'xlsx']).optional() });

/** Only these lists, separated by commas. All lists where absent. */
const referenceQuery = z.object({ lists: text(200).optional() });

const referenceData = z.object({
  lists: z.partialRecord(z.enum(referenceTableNames), z.array(z.record(z.string(), z.string()))),
});

export const listOperations = endpoint(
  {
    at: 'GET /operations',
    role: 'viewer',
    summary: 'The operations and their columns',
    accepts: {},
    answer: operationList,
  },
  async () => ({
    operations: [...operations.values()].map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => ({
        name: column.name,
        label: columnLabel(column.name),
        neededFor: column.neededFor ?? null,
        required: column.required,
        repeats: column.repeats,
        secret: column.isSecret === true,
        isDate: column.isDate === true,
        aliases: [...column.aliases],
        help: column.help,
        example: column.example,
      })),
    })),
  }),
);

/** Every column and one example row, with values of the live reference data where sync has written it. */
export const getTemplate = endpoint(
  {
    at: 'GET /operations/{operation}/template',
    role: 'viewer',
    summary: 'A template to fill in',
    accepts: { path: templatePath, query: templateQuery },
    files: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  },
  async ({ path, query }, reader: ApiReader) => {
    const operation = operationNamed(path.operation);
    if (operation === undefined) throw notFound(`There is no operation "${path.operation}".`);
    const { columns } = operation;
    const tables = await readReferenceTables(reader);
    const [values = {}] = tables === undefined ? [] : templateValues(tables, columns);
    const names = columns.map(({ name }) => name);
    const example = columns.map(({ name, example: cell }) => values[name] ?? cell);
    if (query.format !== 'xlsx') {
      const content = csvHeader(names, ',') + csvRow(example);
      return { fileName: `${path.operation}.csv`, contentType: 'text/csv; charset=utf-8', content };
    }
    const { workbookType, writeWorkbook } = await import('#shared/files/workbook/write-workbook.ts');
    const sheet = templateSheet({ operation: path.operation, header: names, rows: [example] }, tables);
    const content = await buffer(writeWorkbook(sheet));
    return { fileName: `${path.operation}.xlsx`, contentType: workbookType, content };
  },
);

export const getReferenceData = endpoint(
  {
    at: 'GET /reference-data',
    role: 'viewer',
    summary: 'Networks, tariffs, bolt-ons, services and orders to choose from',
    accepts: { query: referenceQuery },
    answer: referenceData,
    etag: true,
    problems: ['not-ready'],
  },
  async ({ query }, reader: ApiReader) => {
    const wanted = query.lists?.split(',');
    const unknown = wanted?.find((name) => !(referenceTableNames as readonly string[]).includes(name));
    if (unknown !== undefined) {
      throw new ApiProblem('invalid-request', `There is no list "${unknown}": use ${referenceTableNames.join(', ')}.`);
    }
    const tables = await readReferenceTables(reader);
    if (tables === undefined) {
      const detail = 'Sync writes the reference data once a day and after a deployment. Try again in a few minutes.';
      throw new ApiProblem('not-ready', detail, { retryAfterSeconds: 60 });
    }
    const lists = referenceTableNames.filter((name) => wanted === undefined || wanted.includes(name));
    return { lists: Object.fromEntries(lists.map((name) => [name, tables[name].map((record) => ({ ...record }))])) };
  },
);
