// Reads the errors of rejected rows from issues.ndjson. Its lines are in file order, so they are read in step with the
// rows.
import { describeIssue, type Issue, type IssueCode, isDuplicate } from '#shared/domain/imports/issue.ts';
import type { ObjectReader } from '#shared/store/files/files.ts';
import { splitLines } from '#shared/store/files/json-lines.ts';
import { issuesKey } from '#shared/store/files/object-keys.ts';

export interface ErrorsOfRow {
  readonly messages: readonly string[];
  readonly isDuplicate: boolean;
}

export interface RowErrors {
  /** Reads on until every error up to this line is in memory. */
  readTo(line: number): Promise<void>;
  /** This line's errors, which are then forgotten; undefined when the row was accepted. */
  take(line: number): ErrorsOfRow | undefined;
  /** The row has totals, so it is no row of the import. */
  isTotals(line: number): boolean;
}

interface RowError {
  readonly text: string;
  readonly code: IssueCode;
}

export async function openRowErrors(files: ObjectReader, bucket: string, importId: string): Promise<RowErrors> {
  const ref = { bucket, key: issuesKey(importId) };
  const found = await files.head(ref);
  const texts = found === undefined || found.bytes === 0 ? undefined : splitLines(await files.read(ref));
  const iterator = texts?.[Symbol.asyncIterator]();
  const errors = new Map<number, RowError[]>();
  const totals = new Set<number>();
  let readUpTo = iterator === undefined ? Number.POSITIVE_INFINITY : 0;

  const readTo = async (line: number): Promise<void> => {
    while (readUpTo <= line) {
      const next = await iterator?.next();
      if (next === undefined || next.done) readUpTo = Number.POSITIVE_INFINITY;
      else readUpTo = Math.max(readUpTo, addIssue(next.value, errors, totals));
    }
  };

  const take = (line: number): ErrorsOfRow | undefined => {
    const found = errors.get(line);
    errors.delete(line);
    return (
      found && { messages: found.map(({ text }) => text), isDuplicate: isDuplicate(found.map(({ code }) => code)) }
    );
  };
  return { readTo, take, isTotals: (line) => totals.has(line) };
}

/** Returns the line that the issue is about. */
function addIssue(text: string, errors: Map<number, RowError[]>, totals: Set<number>): number {
  const issue = JSON.parse(text) as Issue;
  const { line, code, severity } = issue;
  if (code === 'RECORD_IS_TOTALS') totals.add(line);
  if (severity !== 'error' || line === 0) return line;
  const error = { text: describeIssue(issue), code };
  const found = errors.get(line);
  if (found === undefined) errors.set(line, [error]);
  else found.push(error);
  return line;
}
