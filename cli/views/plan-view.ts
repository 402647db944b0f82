// The requests that a plan would send, as a table.

import type { ImportItem } from '#shared/import/import.ts';
import type { PlanGroup } from '#shared/results/answers.ts';
import { count, counted } from '#shared/text/wording.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { wrap } from '../output/text.ts';

const shownGroups = 20;

const columns: readonly TableColumn[] = [
  { header: 'group', wraps: true },
  { header: 'requests', align: 'right' },
  { header: 'rows', align: 'right' },
  { header: 'rows in each', wraps: true },
];

/** A table of the groups, and below it the reasons for the dates that were chosen. */
export function formatPlan(
  groups: readonly PlanGroup[],
  { width, paint }: Terminal,
  onInvalidPac?: ImportItem['onInvalidPac'],
): string[] {
  const rows = groups
    .slice(0, shownGroups)
    .map(({ group, rows, requestRows }) => [group, count(requestRows.length), count(rows), formatSizes(requestRows)]);
  const reasons = new Set(groups.flatMap(({ dateReason }) => dateReason ?? []));
  const more = groups.length - rows.length;
  return [
    ...formatTable(columns, rows, { width, paint }),
    ...(more > 0 ? [`and ${counted(more, 'more group')}`] : []),
    ...[...reasons].flatMap((reason) => wrap(`Date chosen: ${reason}`, width)),
    ...wrap([describeBlocking(groups), onInvalidPac && choices[onInvalidPac]].filter(Boolean).join(' '), width),
  ];
}

const choices: Readonly<Record<'wait' | 'remove', string>> = {
  wait: 'Its rows wait until a person acts.',
  remove: 'It is removed from its port after some time, and the others go on.',
};

/** What an invalid PAC can cost: no row of a port is submitted while another one has an invalid PAC. */
function describeBlocking(groups: readonly PlanGroup[]): string {
  const ports = groups.filter(({ group }) => group.startsWith('Port to ')).flatMap(({ requestRows }) => requestRows);
  const most = Math.max(0, ...ports.map((rows) => rows - 1));
  if (most === 0) return '';
  const others = most === 1 ? '1 other number' : `up to ${count(most)} other numbers`;
  return `An invalid PAC blocks its whole port: ${others}. --max-rows-per-port makes smaller ports.`;
}

/** `3 x 100, 42`: equal sizes together, the largest first. */
export function formatSizes(sizes: readonly number[]): string {
  const times = new Map<number, number>();
  for (const size of sizes) times.set(size, (times.get(size) ?? 0) + 1);
  return [...times]
    .sort(([one], [other]) => other - one)
    .map(([size, many]) => (many === 1 ? count(size) : `${count(many)} x ${count(size)}`))
    .join(', ');
}
