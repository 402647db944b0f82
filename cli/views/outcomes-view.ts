// How many rows have each outcome, as a table.

import { problemOutcomes } from '#shared/outcome/outcome.ts';
import type { OutcomeTally } from '#shared/results/results.ts';
import { count } from '#shared/text/wording.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';

/** Green for success, yellow for a problem. */
export const outcomeColumn: TableColumn = {
  header: 'outcome',
  style: (cell) => (cell === 'complete' ? 'green' : problems.includes(cell) ? 'yellow' : undefined),
};
const problems: readonly string[] = problemOutcomes;

export const formatOutcomes = (tally: OutcomeTally, { width, paint }: Terminal): string[] =>
  formatTable(
    [outcomeColumn, { header: 'status' }, { header: 'rows', align: 'right' }],
    tally.counts().map(({ outcome, status, rows }) => [outcome, status, count(rows)]),
    { width, paint },
  );
