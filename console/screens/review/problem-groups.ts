// The errors of the rows of the grid in groups, and how many rows of each are fixed.
import type { ImportRow } from '../../api/answers.ts';
import type { RowIssue, RowState } from './row-states.ts';

export interface ProblemFilter {
  readonly code: RowIssue['code'];
  readonly column: string | null;
}

export interface ProblemGroup extends ProblemFilter {
  readonly message: string;
  readonly rows: number;
  readonly fixed: number;
}

/** The most rows first. */
export function groupProblems(
  rows: readonly Pick<ImportRow, 'line' | 'issues'>[],
  states: ReadonlyMap<number, Pick<RowState, 'progress'>>,
): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>();
  for (const { line, issues } of rows) {
    const progress = states.get(line)?.progress;
    const fixed = progress === 'fixed' || progress === 'sent' ? 1 : 0;
    // A list in a cell may have an error for each of its entries, and the row counts once.
    const counted = new Set<string>();
    for (const { code, column, message, severity } of issues) {
      const key = `${code} ${column}`;
      if (severity !== 'error' || counted.has(key)) continue;
      counted.add(key);
      const group = groups.get(key) ?? { code, column, message, rows: 0, fixed: 0 };
      groups.set(key, { ...group, rows: group.rows + 1, fixed: group.fixed + fixed });
    }
  }
  return [...groups.values()].sort((one, other) => other.rows - one.rows);
}
