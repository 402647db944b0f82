// Sums up the imports of a period, and writes them as a file.
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import { type Outcomes, sharesOf } from '#shared/outcome/outcome.ts';
import type { ImportSummary } from '../../api/answers.ts';
import { operations, states } from '../../text/words.ts';

/** Rows with something in common, by outcome. */
export interface Group {
  readonly name: string;
  readonly rows: number;
  readonly outcomes: Outcomes;
}

export const operationOf = ({ operation }: ImportSummary): string =>
  operation === null ? '' : operations[operation].label;
export const personOf = ({ uploadedBy }: ImportSummary): string => uploadedBy?.by ?? '';

/** The largest first. */
export function groupsOf(imports: readonly ImportSummary[], nameOf: (item: ImportSummary) => string): Group[] {
  const groups = Object.entries(Object.groupBy(imports, nameOf)).map(([name, items = []]) => ({
    name,
    rows: items.reduce((sum, { rows }) => sum + rows, 0),
    outcomes: outcomesOf(items),
  }));
  return groups.sort((one, other) => other.rows - one.rows);
}

function outcomesOf(imports: readonly ImportSummary[]): Outcomes {
  const sum: Partial<Record<keyof Outcomes, number>> = {};
  for (const { outcomes } of imports)
    for (const outcome of Object.keys(outcomes) as (keyof Outcomes)[])
      sum[outcome] = (sum[outcome] ?? 0) + (outcomes[outcome] ?? 0);
  return sum;
}

const importColumns = ['File', 'Import', 'Operation', 'State', 'Received', 'Uploaded by'];

/** One row for each import, with a column for each outcome that any of them has. */
export function periodCsv(imports: readonly ImportSummary[]): string {
  const shares = sharesOf(outcomesOf(imports));
  const names = [...importColumns, 'Numbers', ...shares.map(({ word }) => word)];
  const rows = imports.map((item) => [
    item.file,
    item.importId,
    operationOf(item),
    states[item.state],
    item.receivedAt,
    personOf(item),
    ...[item.rows, ...shares.map(({ outcome }) => item.outcomes[outcome] ?? 0)].map(String),
  ]);
  return [csvHeader(names, ','), ...rows.map((cells) => csvRow(cells))].join('');
}
