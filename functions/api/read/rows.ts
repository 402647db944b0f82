// The rows of an import page by page, and its findings in groups.
import * as z from 'zod';
import { findSecretColumns } from '#shared/files/secret-columns.ts';
import { type ImportItem, optionKey } from '#shared/import/import.ts';
import { type Outcome, outcomes } from '#shared/outcome/outcome.ts';
import { duplicateResult, rejectedResult } from '#shared/outcome/row-result.ts';
import { resultRow } from '#shared/results/answers.ts';
import {
  findLinesWithIssue,
  forPage,
  messageForPage,
  readIssuesOf,
  readProblemGroups,
} from '#shared/results/findings.ts';
import { readRejectedRows } from '#shared/results/rejected-rows.ts';
import { columnNamesForPeople, columnsForPeople, columnsToMask } from '#shared/results/results-csv.ts';
import type { ReadRowPage } from '#shared/results/row-page.ts';
import { isDuplicate, issueCodes } from '#shared/row/issue.ts';
import { operationNames } from '#shared/text/identity.ts';
import { count, instant } from '#shared/text/stored-values.ts';
import type { ApiReader } from '../context.ts';
import { findImport, readRows } from '../find-import.ts';
import { endpoint } from '../http/endpoint.ts';
import {
  decodeCursor,
  encodeCursor,
  fileColumn,
  importPath,
  limitOf,
  nextCursor,
  pageQuery,
  rowIssue,
  text,
} from '../schemas.ts';

const listOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .string()
    .max(500)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)).min(1));

/** A row has about a kilobyte, and a Lambda response at most 6 MB. */
const mostRows = 2_500;

const rowsQuery = pageQuery.extend({
  limit: limitOf(mostRows),
  /** One or more, separated by commas. */
  outcome: listOf(outcomes).optional(),
  /** Only rows with one of these findings, separated by commas. */
  code: listOf(issueCodes).optional(),
  /** Only rows with a finding about this column, by its name in the operation. */
  column: text(100, 1).optional(),
  /** Only rows with this text in a cell, the status or the message, whatever the case. PACs are not searched. */
  text: text(100, 1).optional(),
});

const importRow = resultRow.omit({ columns: true }).extend({
  /** In the order of `columns`. A secret cell shows at most its last two characters. */
  cells: z.array(z.string()),
  issues: z.array(rowIssue),
  /** The operation whose correction file has the row. */
  correctedBy: z.enum(operationNames).nullable(),
});

const rowPage = z.object({
  columns: z.array(fileColumn),
  rows: z.array(importRow),
  nextCursor,
  /** The outcomes are of this moment. */
  asOf: instant,
  /** How many rows of the import lists can show by now: before the first report only invalid ones. */
  reported: z.object({ rows: count, of: count }),
});

const problemsQuery = z.object({ severity: z.enum(['error', 'warning', 'notice']).optional() });

/** Findings of one code about one column. */
const problemGroup = z.object({
  code: z.enum(issueCodes),
  column: z.string().nullable(),
  severity: z.enum(['error', 'warning', 'notice']),
  /** Whether the file has the column; false also for findings about whole rows. */
  isInFile: z.boolean(),
  rows: count,
  /** The most frequent messages; findings with the same message can be fixed alike. */
  messages: z.array(z.object({ message: z.string(), rows: count, lines: z.array(count) })),
});

const problemGroups = z.object({
  /** The most rows first, errors before warnings. */
  groups: z.array(problemGroup),
  /** More findings exist than were read. */
  isIncomplete: z.boolean(),
});

const defaultPageSize = 100;
const place = z.int().min(-1);
/** Continues after a line where lines ascend, and otherwise after a row of results.csv by its position. */
const position = z.object({ afterLine: z.optional(place), afterRow: z.optional(place) });

function positionOf({ cursor }: z.output<typeof rowsQuery>): { readonly afterLine: number; readonly afterRow: number } {
  return { afterLine: -1, afterRow: -1, ...decodeCursor(position, cursor) };
}

export const listRows = endpoint(
  {
    at: 'GET /imports/{importId}/rows',
    role: 'viewer',
    summary: 'The rows of an import with their outcomes',
    accepts: { path: importPath, query: rowsQuery },
    answer: rowPage,
    problems: ['not-ready', 'file-expired'],
  },
  async ({ path, query }, reader: ApiReader) => {
    const item = await findImport(reader, path.importId);
    const { page, lines } = await readPage(item, query, reader);
    if (page === undefined) return rowsBeforeReport(item, { query, lines }, reader);
    // The findings are those of the file: a corrected row has none of them.
    const uncorrected = page.rows.filter(({ line }) => !page.correctedLines.has(line));
    const rows = lines === undefined ? page.rows : uncorrected;
    const issues = await issuesOf(
      reader,
      item,
      uncorrected.map(({ line }) => line),
    );
    return {
      columns: columnsOf(page.header, item),
      rows: rows.map(({ cells, ...row }) => ({
        ...row,
        message: row.outcome === 'rejected' ? messageForPage(row.message) : row.message,
        cells: [...cells],
        issues: (issues.get(row.line) ?? []).map(({ line: _, ...issue }) => forPage(issue)),
      })),
      nextCursor: cursorBehind(page, lines),
      asOf: page.asOf.toISOString(),
      reported: { rows: item.rows, of: item.rows },
    };
  },
);

/** A page reads a limited number of bytes: it may end before the last of its lines, and the next one searches on. */
function cursorBehind({ nextAfterRow }: ReadRowPage, lines: FoundLines | undefined): string | null {
  if (nextAfterRow !== null) return encodeCursor({ afterLine: lines?.afterLine, afterRow: nextAfterRow });
  const afterLine = lines?.nextAfterLine ?? null;
  return afterLine === null ? null : encodeCursor({ afterLine });
}

/** The rows of a correction have the lines of the first import, its findings those of the file: none is matched. */
const issuesOf = async (reader: ApiReader, item: ImportItem, lines: readonly number[]) =>
  item.correctionOf === undefined ? readIssuesOf(reader, item, lines) : new Map<number, never[]>();

interface FoundLines {
  readonly lines: readonly number[];
  /** They were searched behind this one. */
  readonly afterLine: number;
  readonly nextAfterLine: number | null;
}

async function readPage(
  item: ImportItem,
  query: z.output<typeof rowsQuery>,
  reader: ApiReader,
): Promise<{ page: ReadRowPage | undefined; lines: FoundLines | undefined }> {
  const limit = query.limit ?? defaultPageSize;
  const { afterLine, afterRow } = positionOf(query);
  const lines = await findLines(item, query, { afterLine, limit }, reader);
  const { outcome: outcomes, text } = query;
  const filter = { outcomes, text, lines: lines?.lines, afterLine, afterRow, limit };
  return { page: await readRows(item, filter, reader), lines };
}

async function findLines(
  item: ImportItem,
  { code: codes, column }: z.output<typeof rowsQuery>,
  page: { readonly afterLine: number; readonly limit: number },
  reader: ApiReader,
): Promise<FoundLines | undefined> {
  if (codes === undefined && column === undefined) return undefined;
  const { afterLine } = page;
  if (item.correctionOf !== undefined) return { lines: [], afterLine, nextAfterLine: null };
  const found = await findLinesWithIssue(reader, item, { codes, column, ...page, limit: page.limit + 1 });
  const lines = found.slice(0, page.limit);
  return { lines, afterLine, nextAfterLine: found.length > page.limit ? (lines.at(-1) ?? null) : null };
}

interface Search {
  readonly query: z.output<typeof rowsQuery>;
  readonly lines: FoundLines | undefined;
}

/** All rows appear with the first report, which a plan does not have yet: until then there are the invalid rows. */
async function rowsBeforeReport(
  item: ImportItem,
  { query, lines }: Search,
  reader: ApiReader,
): Promise<z.output<typeof rowPage>> {
  const { changedAt: asOf } = item;
  const none = { columns: [], rows: [], nextCursor: null, asOf, reported: { rows: item.rejected, of: item.rows } };
  const isWanted = ({ outcome }: { readonly outcome: Outcome }) => query.outcome?.includes(outcome) !== false;
  const limit = query.limit ?? defaultPageSize;
  const { afterLine } = positionOf(query);
  const text = query.text?.toLowerCase();
  const secret = findSecretColumns(columnsToMask(item, []));
  const found = await readRejectedRows(reader, item, {
    afterLine,
    limit,
    codes: 'masked',
    matches: ({ line, cells, errors }) => {
      if (lines !== undefined && !lines.lines.includes(line)) return false;
      const searched = [...cells.filter((_, index) => !secret.has(index)), errors];
      return text === undefined || searched.some((cell) => cell.toLowerCase().includes(text));
    },
  });
  if (found === undefined) return { ...none, reported: { rows: 0, of: item.rows } };
  const issues = await issuesOf(
    reader,
    item,
    found.rows.map(({ line }) => line),
  );
  const resultOf = (line: number, errors: string) => {
    const codes = (issues.get(line) ?? []).flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
    return (isDuplicate(codes) ? duplicateResult : rejectedResult)([messageForPage(errors)]);
  };
  const rows = found.rows.map(({ line, cells, errors }) => ({
    line,
    ...resultOf(line, errors),
    correctedBy: null,
    cells: [...cells],
    issues: (issues.get(line) ?? []).map(({ line: _, ...issue }) => forPage(issue)),
  }));
  const last = found.hasMore ? found.rows.at(-1)?.line : lines?.nextAfterLine;
  const nextCursor = last == null ? null : encodeCursor({ afterLine: last });
  return { ...none, columns: columnsOf(found.header, item), rows: rows.filter(isWanted), nextCursor };
}

/** As many as the cells of a row. */
function columnsOf(header: readonly string[], item: ImportItem) {
  const names = columnNamesForPeople(item);
  const secret = findSecretColumns(columnsToMask(item, header));
  const options = new Map(item.optionColumns?.map((column) => [column.index, column]));
  return header.map((text, index) => {
    const column = options.get(index);
    return {
      header: text,
      name: names.get(index) ?? (column ? optionKey(column) : null),
      option: column?.option?.name ?? null,
      secret: secret.has(index),
    };
  });
}

export const listProblems = endpoint(
  {
    at: 'GET /imports/{importId}/problems',
    role: 'viewer',
    summary: 'The findings of an import, grouped',
    accepts: { path: importPath, query: problemsQuery },
    answer: problemGroups,
  },
  async ({ path, query }, reader: ApiReader) => {
    const item = await findImport(reader, path.importId);
    const { groups, isIncomplete } = await readProblemGroups(reader, item, query.severity);
    const inFile = columnsForPeople(item);
    return {
      isIncomplete,
      groups: groups.map((group) => ({
        ...group,
        isInFile: group.column !== null && inFile[group.column] !== undefined,
        messages: group.messages.map(forPage),
      })),
    };
  },
);
