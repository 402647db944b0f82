// The rows that can be fixed: read page by page, and checked once they are changed.
import { useEffect, useMemo, useRef, useState } from 'react';
import { count } from '#shared/text/wording.ts';
import { type Answer, type ImportDetails, type ImportRow, isTemporary } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { rowsOfFile, useDelayed, usePages, useRead } from '../../api/queries.ts';
import { describeError } from '../../app/notices.tsx';
import { cellKey, changedLines, type Edits, keptCell, mostCharacters } from './edits.ts';
import { type ChangedRow, duplicateCodes, type RowCheck, type RowIssue } from './row-states.ts';

export type FileColumn = Answer<'listRows'>['columns'][number];

/** The most that the API answers: each page reads the file up to its rows. */
const pageSize = '2500';
/** More than this many rows are fixed in the spreadsheet that they come from. */
export const mostRows = 10_000;

/** A row that repeats a number can be fixed as long as nothing of the file is sent. */
const toFix = { draft: 'rejected,duplicate', sent: 'rejected,declined,cancelled' };

/** All rows of an import that can be fixed and sent again, invalid and declined ones, read page by page. */
export function useInvalidRows({ importId, operation, columnValues, reading, canChangeRows }: ImportDetails) {
  const outcome = canChangeRows ? toFix.draft : toFix.sent;
  const { data: known } = useRead('listOperations', {});
  // Invalid rows of a reading never change, and declined ones are read again when the screen is opened again.
  const read = usePages(
    'listRows',
    { path: { importId }, query: { outcome, limit: pageSize } },
    { key: [rowsOfFile, importId, reading, outcome], isFixed: true },
  );
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, isError } = read;
  const rows = useMemo(
    () => data?.pages.flatMap((page) => page.rows.flatMap((row) => openRow(row, operation))) ?? [],
    [data, operation],
  );
  const isComplete = data !== undefined && (!hasNextPage || rows.length >= mostRows);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError && rows.length < mostRows) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, rows.length, fetchNextPage]);
  const ofOperation = known?.operations.find(({ name }) => name === operation)?.columns;
  const ofFile = data?.pages[0]?.columns;
  const columns = useMemo(
    () => [...(ofFile ?? []), ...missingColumns({ ofFile, ofOperation, columnValues }, rows)],
    [ofFile, ofOperation, columnValues, rows],
  );
  return { read, rows, columns, isComplete: isComplete && ofOperation !== undefined };
}

/** A row that was sent has the answer of the service as its finding. */
function openRow(row: ImportRow, operation: ImportDetails['operation']): ImportRow[] {
  if (row.outcome === 'rejected' || row.outcome === 'duplicate') return [row];
  if (row.correctedBy !== operation) return [];
  const message = [row.status, row.message].filter(Boolean).join(': ');
  return [{ ...row, issues: [{ column: null, code: 'ROW_REFUSED', severity: 'error', message }] }];
}

interface Columns {
  readonly ofFile: readonly FileColumn[] | undefined;
  readonly ofOperation: Answer<'listOperations'>['operations'][number]['columns'] | undefined;
  readonly columnValues: ImportDetails['columnValues'];
}

/** Columns that the file lacks and a row needs: they can be filled in behind those of the file. */
function missingColumns(
  { ofFile = [], ofOperation = [], columnValues }: Columns,
  rows: readonly ImportRow[],
): FileColumn[] {
  // `services: Roaming` is a column with entries of `services`.
  const inFile = new Set(ofFile.flatMap(({ name }) => (name === null ? [] : [name, name.split(': ')[0]])));
  const invalid = new Set(rows.flatMap(({ issues }) => issues.map(({ column }) => column)));
  return ofOperation
    .filter(({ name, required, neededFor }) => {
      if (inFile.has(name)) return false;
      return invalid.has(name) || ((required || neededFor !== null) && columnValues[name] === undefined);
    })
    .map(({ name, secret }) => ({ header: '', name, option: null, secret }));
}

/** The API takes no more. */
const rowsPerCall = 200;
/** After an answer that the API did not give now. */
const retryMs = 2_000;

interface Input {
  readonly importId: string;
  readonly operation: string;
  readonly changed: readonly ChangedRow[];
}

/** Checks the rows that were changed, a moment after the last change. */
export function useValidation({ importId, operation, changed }: Input): ReadonlyMap<number, RowCheck> {
  const [checks, setChecks] = useState<ReadonlyMap<number, RowCheck>>(new Map());
  const known = useRef(checks);
  known.current = checks;
  // The same object until something changes: another one ends the calls that are under way.
  const input = useMemo(() => ({ importId, operation, changed }), [importId, operation, changed]);
  const delayed = useDelayed(input);
  useEffect(() => {
    const stop = new AbortController();
    const unchecked = delayed.changed.filter(({ row, text }) => known.current.get(row.line)?.checked !== text);
    const add = (part: readonly ChangedRow[], checkOf: (row: ChangedRow, index: number) => Omit<RowCheck, 'checked'>) =>
      setChecks((before) => {
        const after = new Map(before);
        for (const [index, one] of part.entries()) {
          after.set(one.row.line, { checked: one.text, ...checkOf(one, index) });
        }
        return after;
      });
    const tooLong = unchecked.filter(({ longColumn }) => longColumn !== undefined);
    const waiting = unchecked.filter(({ longColumn }) => longColumn === undefined);
    if (tooLong.length > 0) {
      add(tooLong, ({ longColumn }) =>
        failed(longColumn, `The text has more than ${count(mostCharacters)} characters. Shorten it.`),
      );
    }
    void (async () => {
      for (let start = 0; start < waiting.length && !stop.signal.aborted; start += rowsPerCall) {
        const part = waiting.slice(start, start + rowsPerCall);
        const answer = await validate(delayed, part, stop.signal);
        if (answer === undefined) return;
        if (answer instanceof Error) {
          add(part, () => failed(undefined, `The row was not checked: ${describeError(answer)}`));
        } else add(part, (_, index) => foundIn(answer.rows[index]));
      }
    })();
    return () => stop.abort();
  }, [delayed]);
  return checks;
}

const failed = (column: string | undefined, message: string): Omit<RowCheck, 'checked'> => ({
  issues: [{ column: column ?? null, code: 'ROW_REFUSED', severity: 'error', message }],
  unique: [],
});

/** Whether another row has the same number or SIM is asked of all rows of the grid, not of those of one call. */
const foundIn = (row: Answer<'validateRows'>['rows'][number] | undefined): Omit<RowCheck, 'checked'> => ({
  issues: (row?.issues ?? []).filter(({ severity, code }) => severity !== 'notice' && !isOfAnotherRow(code)),
  unique: row?.unique ?? [],
});

const isOfAnotherRow = (code: RowIssue['code']): boolean =>
  code === duplicateCodes.number || code === duplicateCodes.sim;

/** Once for each change, not for each answer: there may be 10,000 rows, and an answer is about 200 of them. */
export const useChangedRows = (
  rows: readonly ImportRow[],
  columns: readonly FileColumn[],
  edits: Edits,
): readonly ChangedRow[] => useMemo(() => changedRows(rows, columns, edits), [rows, columns, edits]);

function changedRows(rows: readonly ImportRow[], columns: readonly FileColumn[], edits: Edits): ChangedRow[] {
  const lines = changedLines(edits);
  return rows.filter(({ line }) => lines.has(line)).map((row) => changedRow(row, columns, edits));
}

function changedRow(row: ImportRow, columns: readonly FileColumn[], edits: Edits): ChangedRow {
  const cells: Record<string, string> = {};
  for (const [index, { name, secret }] of columns.entries()) {
    if (name === null) continue;
    const value = edits.cells.get(cellKey(row.line, index));
    // A secret cell of the file or of a draft is not known here: it is validated when the correction is imported.
    if (value === keptCell) continue;
    if (value !== undefined || !secret) cells[name] = value ?? row.cells[index] ?? '';
  }
  const longColumn = Object.keys(cells).find((name) => (cells[name]?.length ?? 0) > mostCharacters);
  return { row, cells, text: JSON.stringify(cells), longColumn };
}

/** Repeats the call while these rows are waiting. An Error: the API declined them. undefined: nobody waits. */
async function validate(
  { importId, operation }: Input,
  rows: readonly ChangedRow[],
  signal: AbortSignal,
): Promise<Answer<'validateRows'> | Error | undefined> {
  while (!signal.aborted) {
    try {
      const body = { operation, importId, rows: rows.map(({ cells }) => cells) };
      return await call('validateRows', { body, signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!isTemporary(error)) return error as Error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
  return undefined;
}
