// The figures of the benchmark as text. METHOD.md explains their names.
import { formatPairs, formatTable } from '#cli/output/table.ts';

type Figures = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Figures => typeof value === 'object' && value !== null;

function cellOf(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-GB', { maximumFractionDigits: 2 });
  if (isGroup(value))
    return Object.entries(value)
      .map(([name, inner]) => `${name} ${cellOf(inner)}`)
      .join(', ');
  return value === undefined ? '' : String(value);
}

function tableOf(rows: readonly Figures[]): string[] {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const columns = names.map((header) => {
    return { header, align: rows.some((row) => typeof row[header] === 'string') ? 'left' : 'right' } as const;
  });
  return formatTable(
    columns,
    rows.map((row) => names.map((name) => cellOf(row[name]))),
  );
}

/** A list is a table, with a column for each member; what a member contains has the name of the member above it. */
export function linesOf(name: string, figures: unknown): string[] {
  if (Array.isArray(figures)) return [name, ...tableOf(figures), ''];
  const members = Object.entries(figures as Figures);
  const pairs = members.flatMap(([member, value]) => (isGroup(value) ? [] : [[member, cellOf(value)] as const]));
  const groups = members.flatMap(([member, value]) => (isGroup(value) ? [{ member, value }] : []));
  if (pairs.length === 0)
    return linesOf(
      name,
      groups.map(({ member, value }) => ({ name: member, ...value })),
    );
  return [
    name,
    ...formatPairs(pairs),
    '',
    ...groups.flatMap(({ member, value }) => linesOf(`${name}: ${member}`, value)),
  ];
}
