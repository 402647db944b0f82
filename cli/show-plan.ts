// What a plan would send: its requests by what their rows share, how many rows each has, and why their day was chosen.
import { readPlan } from './import-objects.ts';
import type { PlanGroupJson } from './json-shapes.ts';
import { formatTable, type TableColumn } from './output/table.ts';
import type { Terminal } from './output/terminal.ts';
import { count, counted } from './output/text.ts';
import type { Target } from './target.ts';

const mostGroups = 20;

/** The groups with the most rows first; empty when the plan has expired, or there never was one. */
export async function readPlanGroups(target: Target, importId: string): Promise<PlanGroupJson[]> {
  const groups = new Map<string, PlanGroupJson>();
  for await (const { label, why = null, rowCount } of readPlan(target, importId)) {
    const group = groups.get(label) ?? { group: label, why, rows: 0, requestRows: [] };
    group.rows += rowCount;
    group.requestRows.push(rowCount);
    groups.set(label, group);
  }
  return [...groups.values()].sort((one, other) => other.rows - one.rows);
}

const columns: readonly TableColumn[] = [
  { header: 'group', shrinks: true },
  { header: 'requests', align: 'right' },
  { header: 'rows', align: 'right' },
  { header: 'rows in each', shrinks: true },
];

/** A table of the requests by group, and below it the reasons for the days that were chosen. */
export function planTable(groups: readonly PlanGroupJson[], { width, paint }: Terminal): string[] {
  const rows = groups
    .slice(0, mostGroups)
    .map(({ group, rows, requestRows }) => [group, count(requestRows.length), count(rows), sizesText(requestRows)]);
  const reasons = new Set(groups.flatMap(({ why }) => why ?? []));
  const more = groups.length - rows.length;
  return [
    ...formatTable(columns, rows, { width, paint }),
    ...(more > 0 ? [`and ${counted(more, 'more group')}`] : []),
    ...[...reasons].map((why) => `Chosen day: ${why}`),
  ];
}

/** `3 x 100, 42`: equal sizes together, the largest first. */
export function sizesText(sizes: readonly number[]): string {
  const times = new Map<number, number>();
  for (const size of sizes) times.set(size, (times.get(size) ?? 0) + 1);
  return [...times]
    .sort(([one], [other]) => other - one)
    .map(([size, many]) => (many === 1 ? count(size) : `${count(many)} x ${count(size)}`))
    .join(', ');
}
