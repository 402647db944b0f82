// The rows of an import page by page, and its findings in groups.
import * as z from 'zod';
import { shortestSearch } from '#shared/api/agreed-names.ts';
import { findSecretColumns } from '#shared/files/secret-columns.ts';
import { type ImportItem, optionKey } from '#shared/import/import.ts';
import { readingOf } from '#shared/import/reading.ts';
import { type Outcome, outcomes } from '#shared/outcome/outcome.ts';
import { duplicateResult, leftOutResult, rejectedResult } from '#shared/outcome/row-result.ts';
import { foundRow, resultRow } from '#shared/results/answers.ts';
import { createFinder, findRows as findRowsOfAll } from '#shared/results/find-rows.ts';
import { forPage, messageForPage, readProblemGroups, resultMessageForPage } from '#shared/results/findings.ts';
import { readLinesOfRequest, readPlannedPlaces } from '#shared/results/progress.ts';
import { findLinesWithIssue, readIssuesOf } from '#shared/results/read-issues.ts';
import { readRejectedRows } from '#shared/results/rejected-rows.ts';
import { columnNamesForPeople, columnsForPeople, columnsToMask } from '#shared/results/results-csv.ts';
import type { ReadRow, ReadRowPage, RowFilter } from '#shared/results/row-page.ts';
import { isDuplicate, issueCodes } from '#shared/row/issue.ts';
import { unlessGone } from '#shared/store/object-keys.ts';
import { operationNames } from '#shared/text/identity.ts';
import { count, instant, ordinal } from '#shared/text/stored-values.ts';
import type { ApiReader } from '../context.ts';
import { findImport, readRows, rowsReplaced } from '../find-import.ts';
import { ApiProblem, endpoint, notFound } from '../http/endpoint.ts';
import {
  decodeCursor,
  encodeCursor,
  fileColumn,
  fitPage,
  importIdText,
  importPath,
  limitOf,
  maxPageBytes,
  nextCursor,
  numberText,
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

/** A page of long rows has fewer: see `fitPage`. */
const mostRows = 2_500;

const rowsQuery = pageQuery.extend({
  limit: limitOf(mostRows),
  /** One or more, separated by commas. */
  outcome: listOf(outcomes).optional(),
  /** Only rows with one of these findings, separated by commas. */
  code: listOf(issueCodes).optional(),
  /** Only rows that end with this request of the import: those of a divided one end with its parts. */
  request: numberText.optional(),
  /** Only rows with a finding about this column, by its name in the operation. */
  column: text(100, 1).optional(),
  /**
   * Only rows with this text in a cell, the status or the message, whatever the case, or with this number in whatever
   * spelling. PACs are not searched.
   */
  text: text(100, 1).optional(),
});

const importRow = resultRow.omit({ columns: true }).extend({
  /** In the order of `columns`. A secret cell shows at most its last two characters. */
  cells: z.array(z.string()),
  issues: z.array(rowIssue),
  /** The operation whose correction file has the row. */
  correctedBy: z.enum(operationNames).nullable(),
  /** A person left the row out; a reading of the draft can put it back. */
  isLeftOut: z.boolean(),
  /**
   * Where the row is in the plan that waits for its approval. Null: it is in none, or a file that was joined from
   * corrections has several rows with its line.
   */
  planned: z
    .object({
      request: ordinal,
      /** That of the plan. */
      group: z.string(),
      /** On which its number is ported; null where nothing is ported. */
      day: z.iso.date().nullable(),
      /** Why `auto` became this date. */
      dateReason: z.string().nullable(),
    })
    .nullable(),
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
  /** Texts that no list of the service has, in whatever messages. A person may say what each means. */
  unknownValues: z.array(z.object({ column: z.string(), value: z.string(), rows: count })),
  /** More findings exist than were read. */
  isIncomplete: z.boolean(),
});

const defaultPageSize = 100;
const place = z.int().min(-1);
/** Continues after a line where lines ascend, and otherwise after a row of results.csv by its position. */
const position = z.strictObject({ afterLine: z.optional(place), afterRow: z.optional(place) });

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
    const rows = lines === undefined || query.request !== undefined ? page.rows : uncorrected;
    const issues = await issuesOf(
      reader,
      item,
      uncorrected.map(({ line }) => line),
    );
    const places = await readPlaces(item, rows, reader);
    const found = rows.map(({ place: _, cells, ...row }) => ({
      ...row,
      message: resultMessageForPage(row),
      cells: [...cells],
      isLeftOut: row.outcome === leftOutResult.outcome && row.message === leftOutResult.message,
      planned: places.get(row.line) ?? null,
      issues: (issues.get(row.line) ?? []).map(({ line: _, ...issue }) => forPage(issue)),
    }));
    const shown = fitPage(found);
    const nextAfterRow = shown.length < rows.length ? (rows[shown.length - 1]?.place ?? null) : page.nextAfterRow;
    return {
      columns: columnsOf(page.header, item),
      rows: shown,
      nextCursor: cursorBehind(nextAfterRow, lines),
      asOf: page.asOf.toISOString(),
      reported: { rows: item.rows, of: item.rows },
    };
  },
);

const searchPlace = z.strictObject({ receivedAt: z.string(), importId: importIdText, afterRow: z.nullable(place) });

export const findRows = endpoint(
  {
    at: 'GET /rows',
    role: 'viewer',
    summary: 'The rows of all imports that contain a number, a SIM or another text, the newest import first',
    accepts: { query: z.object({ text: text(200, shortestSearch), cursor: pageQuery.shape.cursor }) },
    answer: z.object({
      rows: z.array(foundRow),
      /** How many imports this answer has searched. */
      searched: count,
      /** How many it left out: plans, and imports whose results have expired. */
      withoutResults: count,
      /** When the oldest of them arrived; null: there was none. */
      since: z.nullable(instant),
      nextCursor,
    }),
  },
  async ({ query }, reader: ApiReader) => {
    const from = decodeCursor(searchPlace, query.cursor);
    const { next, ...found } = await findRowsOfAll(reader, query.text, from);
    return { ...found, nextCursor: next === undefined ? null : encodeCursor(next) };
  },
);

/** A page has a limited number of bytes: it may end before the last of its lines, and the next one searches on. */
function cursorBehind(nextAfterRow: number | null, lines: FoundLines | undefined): string | null {
  if (nextAfterRow !== null) return encodeCursor({ afterLine: lines?.afterLine, afterRow: nextAfterRow });
  const afterLine = lines?.nextAfterLine ?? null;
  return afterLine === null ? null : encodeCursor({ afterLine });
}

/**
 * The rows of a plan that it would send. The file may be read again meanwhile.
 * @throws ApiProblem when the rows are those of another reading than the plan
 */
async function readPlaces(item: ImportItem, rows: readonly ReadRow[], reader: ApiReader) {
  const lines = rows.flatMap(({ line, outcome }) => (outcome === 'waiting' ? [line] : []));
  if (item.state !== 'planned' || lines.length === 0) return new Map<number, never>();
  const places = await unlessGone(readPlannedPlaces(reader, item, lines), new Map<number, never>());
  if (readingOf(await findImport(reader, item.importId)) !== readingOf(item)) throw rowsReplaced();
  return places;
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
  const { outcome: outcomes } = query;
  const filter = {
    outcomes,
    finds: searchFor(query.text, reader),
    lines: lines?.lines,
    afterLine,
    afterRow,
    limit,
  };
  return { page: await readRows(item, filter, reader), lines };
}

/** undefined: nothing is searched for. */
const searchFor = (text: string | undefined, { resources }: ApiReader): RowFilter['finds'] =>
  text === undefined ? undefined : createFinder(text, resources);

async function findLines(
  item: ImportItem,
  { code: codes, column, request }: z.output<typeof rowsQuery>,
  page: { readonly afterLine: number; readonly limit: number },
  reader: ApiReader,
): Promise<FoundLines | undefined> {
  const { afterLine } = page;
  if (request !== undefined) {
    if (codes !== undefined || column !== undefined)
      throw new ApiProblem('invalid-request', 'Rows are listed by their request or by their findings, not by both.');
    const sent = (await linesOfRequest(item, request, reader)).filter((line) => line > afterLine);
    return {
      lines: sent.slice(0, page.limit),
      afterLine,
      nextAfterLine: (sent.length > page.limit && sent[page.limit - 1]) || null,
    };
  }
  if (codes === undefined && column === undefined) return undefined;
  if (item.correctionOf !== undefined) return { lines: [], afterLine, nextAfterLine: null };
  const found = await findLinesWithIssue(reader, item, { codes, column, ...page, limit: page.limit + 1 });
  const lines = found.slice(0, page.limit);
  return { lines, afterLine, nextAfterLine: found.length > page.limit ? (lines.at(-1) ?? null) : null };
}

/** Ascending: those that `rows` of the request counts. */
async function linesOfRequest(item: ImportItem, request: number, reader: ApiReader): Promise<number[]> {
  const found = await reader.requests.get(item.importId, request);
  if (found === undefined) throw notFound(`The import ${item.importId} has no request ${request}.`);
  return unlessGone(readLinesOfRequest(reader, item, found), []);
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
  const finds = searchFor(query.text, reader);
  const secret = findSecretColumns(columnsToMask(item, []));
  const found = await readRejectedRows(reader, item, {
    afterLine,
    limit,
    maxCharacters: maxPageBytes,
    codes: 'masked',
    matches: ({ line, cells, errors }) => {
      if (lines !== undefined && !lines.lines.includes(line)) return false;
      return finds === undefined || finds([...cells.filter((_, index) => !secret.has(index)), errors]);
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
    isLeftOut: false,
    planned: null,
    cells: [...cells],
    issues: (issues.get(line) ?? []).map(({ line: _, ...issue }) => forPage(issue)),
  }));
  const shown = fitPage(rows);
  const hasMore = found.hasMore || shown.length < rows.length;
  const last = hasMore ? shown.at(-1)?.line : lines?.nextAfterLine;
  const nextCursor = last == null ? null : encodeCursor({ afterLine: last });
  return { ...none, columns: columnsOf(found.header, item), rows: shown.filter(isWanted), nextCursor };
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
    const { groups, unknownValues, isIncomplete } = await readProblemGroups(reader, item, query.severity);
    const inFile = columnsForPeople(item);
    return {
      isIncomplete,
      unknownValues: [...unknownValues],
      groups: groups.map((group) => ({
        ...group,
        isInFile: group.column !== null && inFile[group.column] !== undefined,
        messages: group.messages.map(forPage),
      })),
    };
  },
);
