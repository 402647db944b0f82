// What is known of each row of the grid at this moment.
import type { ImportRow } from '../../api/types.ts';
import type { FileColumn } from './use-invalid-rows.ts';
import type { ChangedRow, RowCheck, RowIssue } from './use-validation.ts';

export type RowProgress = 'invalid' | 'checking' | 'fixed';

export interface RowState {
  readonly progress: RowProgress;
  readonly issues: readonly RowIssue[];
}

export function rowStates(
  rows: readonly ImportRow[],
  changed: readonly ChangedRow[],
  checks: ReadonlyMap<number, RowCheck>,
): ReadonlyMap<number, RowState> {
  const states = new Map<number, RowState>(
    rows.map(({ line, issues }) => [
      line,
      { progress: 'invalid', issues: issues.filter(({ severity }) => severity === 'error') },
    ]),
  );
  for (const { row, text } of changed) {
    const check = checks.get(row.line);
    if (check === undefined || check.checked !== text) {
      states.set(row.line, { progress: 'checking', issues: states.get(row.line)?.issues ?? [] });
    } else {
      const errors = check.issues.filter(({ severity }) => severity === 'error');
      states.set(row.line, { progress: errors.length === 0 ? 'fixed' : 'invalid', issues: check.issues });
    }
  }
  return states;
}

/** A finding about `services` is about the column of the service that it names. */
export const issueOfColumn = (state: RowState | undefined, { name, option }: FileColumn): RowIssue | undefined =>
  state?.issues.find(
    ({ column, severity, message }) =>
      severity === 'error' &&
      column !== null &&
      (column === name || (name?.startsWith(`${column}: `) && message.includes(option ?? ''))),
  );
