// docs/reference/operations.md and examples/ cover every operation with its current columns.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '#shared/operations/registry.ts';
import { operationNames } from '#shared/text/identity.ts';
import { columnsOf, commonColumns } from '../support/ingest/operation-docs.ts';

const root = new URL('../..', import.meta.url);
const page = readFileSync(new URL('docs/reference/operations.md', root), 'utf8');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', text]),
);

/** The service will remove these calls: the page refers to `simporter template` for their columns. */
const legacy: readonly string[] = ['bar', 'unbar'];

test('every operation is registered and has its section, in the order of the registry', () => {
  expect(new Set(operations.keys())).toEqual(new Set(operationNames));
  expect([...sections.keys()]).toEqual([...operations.keys()]);
});

test.each([...operations.values()])('$name: its columns, what it does and when it is done', (operation) => {
  const { name, purpose } = operation;
  const advice = `the section ${name} of docs/reference/operations.md needs the expected table`;
  if (!legacy.includes(name)) expect(sections.get(name), advice).toContain(columnsOf(operation));
  expect(page).toContain(commonColumns());
  expect(page).toMatch(new RegExp(`^\\| \\[\`${name}\`\\]\\(#${name}\\) \\| ${purpose} \\| .+ \\|$`, 'm'));
});

test.each([...operations.values()].map((operation) => [operation.name, operation] as const))(
  '%s: its example has only its own columns, with both valid and rejected rows',
  (name, { columns }) => {
    const url = new URL(`examples/${name}.csv`, root);
    expect(existsSync(url)).toBe(true);
    const [header = '', ...rows] = readFileSync(url, 'utf8').trimEnd().split('\n');
    expect(columns.map((column) => column.name)).toEqual(expect.arrayContaining(header.split(',')));
    const rejected = rows.filter((row) => row.includes('Rejected: '));
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.length).toBeLessThan(rows.length);
  },
);

test('rows of operations that return a ticket are sent again in parts, as the page states', () => {
  expect(page.replaceAll(/\s+/g, ' ')).toContain(
    'Operations that return a ticket do both, `create-port` only the first, and only once. A change is declined as a whole.',
  );
  for (const { name, submission } of operations.values())
    expect([name, submission.splitsWhenDeclined]).toEqual([name, submission.makes === 'ticket']);
});

test('no column sets the type of a submission (spec gap 39)', () => {
  const names = [...operations.values()].flatMap(({ columns }) =>
    columns.flatMap((column) => [column.name, ...column.aliases]),
  );
  expect(names).not.toContain('type');
});
