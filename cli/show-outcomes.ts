// How many lines came to what, as a table.
import { formatTable, type TableColumn } from './output/table.ts';
import type { Terminal } from './output/terminal.ts';
import { count } from './output/text.ts';
import type { OutcomeTally } from './results.ts';

/** Green once it is what the user wanted, yellow where somebody may have to do something. */
export const outcomeColumn: TableColumn = {
  header: 'outcome',
  style: (cell) => (cell === 'complete' ? 'green' : troubled.includes(cell) ? 'yellow' : undefined),
};
const troubled = ['rejected', 'refused', 'withdrawn', 'unknown', 'attention', 'not-sent'];

export const outcomesTable = (tally: OutcomeTally, { width, paint }: Terminal): string[] =>
  formatTable(
    [outcomeColumn, { header: 'status', shrinks: true }, { header: 'rows', align: 'right' }],
    tally.counts().map(({ outcome, status, rows }) => [outcome, status, count(rows)]),
    { width, paint },
  );
