// Validates the cells of a few rows as ingest would, without an import: for a person who is fixing them.
import * as z from 'zod';
import { unguardFormula, writtenText } from '#shared/csv/csv-row.ts';
import type { Issue } from '#shared/domain/imports/issue.ts';
import { checkCharacters } from '#shared/domain/text/cell-text.ts';
import { redactText } from '#shared/domain/text/redact.ts';
import { type ImportItem, optionKey } from '#shared/items/import.ts';
import { referenceColumn } from '#shared/operations/kit/column.ts';
import { todayOf } from '#shared/operations/kit/connection-date.ts';
import type { Cells, ImportContext, Operation } from '#shared/operations/kit/operation.ts';
import { openOption, withOptions } from '#shared/operations/kit/option-cells.ts';
import { readCell, repairCell } from '#shared/operations/kit/repair-cell.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { isDecline, isPortingFailure } from '#shared/porting/errors.ts';
import { forPage } from '#shared/read-models/page-message.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { cells, importIdText, rowIssue, text } from '../schemas.ts';
import { checkNoSecret } from './reading-settings.ts';

const maxRows = 200;
const validateBody = z.object({
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

/** By row, in the order of the request. */
const validateAnswer = z.object({
  rows: z.array(z.object({ isValid: z.boolean(), group: z.string().nullable(), issues: z.array(rowIssue) })),
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
  async ({ body }, dependencies: WriteDependencies) => {
    const operation = operationNamed(body.operation);
    if (operation === undefined) throw new ApiProblem('invalid-request', `There is no operation "${body.operation}".`);
    const reading = await openReading(body, operation, dependencies);
    checkColumns(body, reading);
    const rows: ValidatedRow[] = [];
    let row = 0;
    const numbers = new Map<string, number>();
    const context = contextOf(dependencies, numbers, () => row);
    try {
      for (const cells of body.rows) {
        row += 1;
        const validated = await validateRow(cells, reading, context);
        rows.push(validated);
        // An invalid row does not claim its numbers.
        if (!validated.isValid) for (const [key, claimedBy] of numbers) if (claimedBy === row) numbers.delete(key);
      }
    } catch (error) {
      if (!isPortingFailure(error) || isDecline(error)) throw error;
      const detail = 'The porting service does not answer, and its lists are needed. Try again in a minute.';
      throw new ApiProblem('not-ready', detail, { retryAfterSeconds: 60 });
    }
    return { rows };
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
  readonly columnValues: Row;
  /** The import whose file has the rows. */
  readonly source: ImportItem | undefined;
}

async function openReading({ importId, columnValues }: Body, operation: Operation, dependencies: WriteDependencies) {
  const source = importId === undefined ? undefined : await findImport(dependencies, importId);
  return { operation, columnValues: { ...source?.columnValues, ...columnValues }, source };
}

/** A column value fills empty cells. */
function readCells(row: Row, { operation, columnValues, source }: Reading, zone: string) {
  const repairs: Omit<Issue, 'line'>[] = [];
  const texts = operation.columns.map((column) => {
    const text = column.isVerbatim
      ? unguardFormula((row[column.name] ?? '').trim())
      : writtenText(row[column.name] ?? '');
    const reading = { order: source?.dateOrders?.[column.name], zone };
    const repaired = repairCell(text, column, reading);
    if (repaired?.finding !== undefined) repairs.push({ column: column.name, ...repaired.finding });
    // A text for "nothing" is no empty cell.
    const read = text === '' ? readCell(columnValues[column.name] ?? '', column, reading) : (repaired?.text ?? text);
    return [column.name, read] as const;
  });
  const byName = new Map(texts);
  const options = (source?.optionColumns ?? []).map(openOption);
  for (const list of new Set(options.map(({ column }) => column))) {
    const ofList = options.filter(({ column }) => column === list);
    const read = withOptions(byName.get(list) ?? '', ofList, (column) => writtenText(row[optionKey(column)] ?? ''));
    byName.set(list, read.text);
    repairs.push(...read.findings);
  }
  return { cells: ((column) => byName.get(column) ?? '') as Cells, repairs };
}

/** Duplicates are found within the rows of the request only: `numbers` has the row of each. */
function contextOf(
  { openCatalogue, account, calendar }: WriteDependencies,
  numbers: Map<string, number>,
  row: () => number,
): ImportContext {
  const names = new Map<string, string>();
  const context = { catalogue: openCatalogue(), settings: account, calendar };
  return {
    ...context,
    today: todayOf(context),
    uniqueness: {
      earlierLine: (column, digits) => {
        const key = `${column} ${digits}`;
        const earlier = numbers.get(key);
        if (earlier === undefined) numbers.set(key, row());
        return earlier;
      },
      hasOneMeaning: (name, meaning) => {
        if (!names.has(name)) names.set(name, meaning);
        return names.get(name) === meaning;
      },
    },
  };
}

async function validateRow(row: Row, reading: Reading, context: ImportContext): Promise<ValidatedRow> {
  const { cells, repairs: issues } = readCells(row, reading, context.settings.zone);
  const { shape, findings, checkRow } = await reading.operation.checkShape(cells, context);
  issues.push(...findings);
  checkRow(cells, (column, finding) => void issues.push({ column, ...finding }));
  const unreadable = checkCharacters(cells(referenceColumn.name));
  if (unreadable !== undefined) issues.push({ column: referenceColumn.name, ...unreadable });
  // The caller does not have the PACs of a file: they are validated when the correction is imported.
  const isPacOfFile = reading.source !== undefined && row.pac === undefined;
  const known = issues.filter(({ column }) => column !== 'pac' || !isPacOfFile);
  return {
    isValid: !known.some(({ severity }) => severity === 'error'),
    group: shape?.label ?? null,
    // Messages quote cells, and when columns are mixed up a cell may hold a PAC.
    issues: known.map((issue) => forPage({ ...issue, message: redactText(issue.message) })),
  };
}
