// Checks the rows that were changed, a moment after the last change.
import { useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { isTemporary } from '../../api/errors.ts';
import type { Answer, ImportRow } from '../../api/types.ts';
import { describeError } from '../../components/problem-text.tsx';
import { strings } from '../../strings.ts';
import { useDelayed } from '../import/use-delayed.ts';
import { cellKey, changedLines, type Edits, keptCell } from './edits.ts';
import { mostCharacters } from './place-values.ts';
import type { FileColumn } from './use-invalid-rows.ts';

export type RowIssue = ImportRow['issues'][number];

export interface RowCheck {
  /** The cells that were checked, so that an older answer is not taken for a newer row. */
  readonly checked: string;
  readonly issues: readonly RowIssue[];
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
    const add = (part: readonly ChangedRow[], issuesOf: (row: ChangedRow, index: number) => readonly RowIssue[]) =>
      setChecks((before) => {
        const after = new Map(before);
        for (const [index, one] of part.entries()) {
          after.set(one.row.line, { checked: one.text, issues: issuesOf(one, index) });
        }
        return after;
      });
    const tooLong = unchecked.filter(({ longColumn }) => longColumn !== undefined);
    const waiting = unchecked.filter(({ longColumn }) => longColumn === undefined);
    if (tooLong.length > 0) {
      add(tooLong, ({ longColumn }) => [errorIn(longColumn, strings.review.longText(mostCharacters))]);
    }
    void (async () => {
      for (let start = 0; start < waiting.length && !stop.signal.aborted; start += rowsPerCall) {
        const part = waiting.slice(start, start + rowsPerCall);
        const answer = await validate(delayed, part, stop.signal);
        if (answer === undefined) return;
        if (answer instanceof Error) {
          add(part, () => [errorIn(undefined, strings.review.notChecked(describeError(answer)))]);
        } else
          add(part, (_, index) => answer.rows[index]?.issues.filter(({ severity }) => severity !== 'notice') ?? []);
      }
    })();
    return () => stop.abort();
  }, [delayed]);
  return checks;
}

const errorIn = (column: string | undefined, message: string): RowIssue => ({
  column: column ?? null,
  code: 'ROW_REFUSED',
  severity: 'error',
  message,
});

export interface ChangedRow {
  readonly row: ImportRow;
  readonly cells: Readonly<Record<string, string>>;
  readonly text: string;
  /** The first column with a longer text than the API takes: one would keep all rows of a call unchecked. */
  readonly longColumn: string | undefined;
}

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
