// Validates the cells of a few rows as ingest would, without an import: for a person who is fixing them.
import * as z from 'zod';
import { type ImportItem, optionKey } from '#shared/import/import.ts';
import { lookUpOnce } from '#shared/operations/catalogue.ts';
import { todayOf } from '#shared/operations/columns/connection-date.ts';
import { openOption } from '#shared/operations/columns/option-cells.ts';
import type { Operation, UniquenessChecks } from '#shared/operations/operation.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { type RowHeader, RowReader, readNumber } from '#shared/operations/validate-row.ts';
import { predictNumbers } from '#shared/request/number-claim.ts';
import { forPage } from '#shared/results/findings.ts';
import { isDecline, isPortingFailure } from '#shared/service/errors.ts';
import type { ApiWriter } from '../context.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem, endpoint } from '../http/endpoint.ts';
import { cells, importIdText, rowIssue, text } from '../schemas.ts';
import { checkNoSecret } from './reading-settings.ts';

const maxRows = 200;
const validateBody = z.strictObject({
  operation: text(50, 1),
  rows: z.array(cells).min(1).max(maxRows),
  /**
   * The rows are from the file of this import: its order of dates and its column values apply, and a PAC that is not
   * given is the one of the file, which is not validated.
   */
  importId: importIdText.optional(),
  /** Values for whole columns. */
  columnValues: cells.optional(),
});

/** By row, in the order of the request. As ingest, it knows which numbers were ported before, or are in progress. */
const validateAnswer = z.object({
  rows: z.array(
    z.object({
      isValid: z.boolean(),
      group: z.string().nullable(),
      issues: z.array(rowIssue),
      /** Its number and its SIM, to compare with rows of other calls: no other valid row of a file may have them. */
      unique: z.array(z.object({ column: z.string(), value: z.string() })),
    }),
  ),
});

type Body = z.output<typeof validateBody>;
type ValidatedRow = z.output<typeof validateAnswer>['rows'][number];

export const validateRows = endpoint(
  {
    at: 'POST /validate',
    role: 'uploader',
    summary: 'Validate a few rows without an import',
    isQuery: true,
    accepts: { body: validateBody },
    answer: validateAnswer,
    problems: ['unknown-column', 'not-found', 'not-ready'],
  },
  async ({ body }, writer: ApiWriter) => {
    const operation = operationNamed(body.operation);
    if (operation === undefined) throw new ApiProblem('invalid-request', `There is no operation "${body.operation}".`);
    const reading = await openReading(body, operation, writer);
    checkColumns(body, reading);
    try {
      return { rows: await validateAll(body.rows, reading, writer) };
    } catch (error) {
      if (!isPortingFailure(error) || isDecline(error)) throw error;
      const detail = 'The porting service does not answer, and its lists are needed. Try again in a minute.';
      throw new ApiProblem('not-ready', detail, { retryAfterSeconds: 60 });
    }
  },
);

function checkColumns({ rows, columnValues = {} }: Body, { operation: { name, columns }, source }: Reading): void {
  checkNoSecret(columnValues, columns);
  const known = new Set([...columns.map((column) => column.name), ...(source?.optionColumns ?? []).map(optionKey)]);
  const unknown = [columnValues, ...rows].flatMap(Object.keys).find((column) => !known.has(column));
  if (unknown === undefined) return;
  throw new ApiProblem('unknown-column', `${name} has no column "${unknown}". See /operations.`);
}

type Row = Body['rows'][number];

interface Reading {
  readonly operation: Operation;
  /** The column of each cell. */
  readonly names: readonly string[];
  readonly header: RowHeader;
  /** The import whose file has the rows. */
  readonly source: ImportItem | undefined;
}

async function openReading(
  { importId, columnValues }: Body,
  operation: Operation,
  writer: ApiWriter,
): Promise<Reading> {
  const source = importId === undefined ? undefined : await findImport(writer, importId);
  const options = source?.optionColumns ?? [];
  const columns = operation.columns.map(({ name }) => name);
  const header = {
    indexes: new Map(columns.map((name, index) => [name, index])),
    defaults: new Map(Object.entries({ ...source?.columnValues, ...columnValues })),
    ...(source?.meanings && { meanings: source.meanings }),
    options: options.map((option, place) => ({ ...openOption(option), index: columns.length + place })),
  };
  return { operation, names: [...columns, ...options.map(optionKey)], header, source };
}

async function validateAll(rows: readonly Row[], reading: Reading, writer: ApiWriter) {
  const { operation, names, header, source } = reading;
  const { openCatalogue, account, calendar } = writer;
  const base = { catalogue: openCatalogue(), settings: account, calendar };
  const predictions = operation.submission.claims ? await predictionsOf(rows, writer) : undefined;
  const uniqueness = new RowsOfRequest();
  let row: Row = {};
  const context = {
    ...base,
    today: todayOf(base),
    uniqueness,
    // The PACs of a file are validated when the correction is imported.
    isWithheld: (column: string) => source !== undefined && row[column] === undefined,
    predictNumber: predictions && ((number: string) => predictions.get(number)),
  };
  const { dateOrders: orders = {}, startsIn1904 } = source ?? {};
  const reader = new RowReader(operation, header, context, { orders, startsIn1904 });
  const validateRow = async () => {
    uniqueness.beginRow();
    const cells = names.map((name) => row[name] ?? '');
    reader.startRow((_, index) => cells[index] ?? '', uniqueness.row);
    const shape = await reader.validateShape();
    const verdict = reader.validateRow(uniqueness.row, shape);
    if (verdict.accepted === undefined) uniqueness.forgetRow();
    return { shape, ...verdict };
  };
  const validated: ValidatedRow[] = [];
  for (row of rows) {
    uniqueness.row += 1;
    let verdict = await validateRow();
    // Kept lists reject no row.
    if (verdict.accepted === undefined && base.catalogue.renew()) verdict = await validateRow();
    const { shape, issues } = verdict;
    validated.push({
      isValid: !issues.some(({ severity }) => severity === 'error'),
      group: shape.shape?.label ?? null,
      issues: issues.map(({ line: _, ...issue }) => forPage(issue)),
      unique: [...uniqueness.ofRow],
    });
  }
  return validated;
}

async function predictionsOf(rows: readonly Row[], { account, numbers, requests }: ApiWriter) {
  const named = new Set(rows.flatMap(({ msisdn = '' }) => readNumber(msisdn, account) ?? []));
  const findHolder = lookUpOnce((importId: string, request: number) => requests.get(importId, request), maxRows);
  return predictNumbers(await numbers.getMany([...named]), findHolder);
}

/** Duplicates are found within the rows of the request only. */
class RowsOfRequest implements UniquenessChecks {
  /** The one that is validated. */
  row = 0;
  /** What it has. */
  ofRow: { readonly column: string; readonly value: string }[] = [];
  readonly #claims = new Map<string, { readonly row: number; readonly meaning: string }>();

  beginRow(): void {
    this.ofRow = [];
  }

  earlierLine(column: string, value: string): number | undefined {
    this.ofRow.push({ column, value });
    const { row } = this.#claim(JSON.stringify([column, value]), value);
    return row === this.row ? undefined : row;
  }

  hasOneMeaning(name: string, meaning: string): boolean {
    return this.#claim(name, meaning).meaning === meaning;
  }

  /** An invalid row claims nothing. */
  forgetRow(): void {
    for (const [key, { row }] of this.#claims) if (row === this.row) this.#claims.delete(key);
  }

  #claim(key: string, meaning: string) {
    const claim = this.#claims.get(key) ?? { row: this.row, meaning };
    this.#claims.set(key, claim);
    return claim;
  }
}
