// docs/reference/operations.md and examples/ cover every operation with its current columns.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { operations } from '#shared/operations/registry.ts';
import { columnsTable } from '../../support/operations-docs.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/reference/operations.md', root), 'utf8');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', text]),
);

test('every operation is registered and has its section, in the order of the registry', () => {
  expect(new Set(operations.keys())).toEqual(new Set(operationNames));
  expect([...sections.keys()]).toEqual([...operations.keys()]);
});

test.each([...operations.values()].map((operation) => [operation.name, operation] as const))(
  '%s: its columns, its call and what done means',
  (name, operation) => {
    const section = sections.get(name) ?? '';
    expect(section).toContain(columnsTable(operation));
    expect(section).toMatch(/`(POST|PATCH|DELETE) \/api\//);
    expect(section).toMatch(/^Done means: \S.+/m);
  },
);

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

test('the page shows which operations are sent again without the named rows, and in halves', () => {
  const documented = page.matchAll(/^\| `([a-z-]+)` \| (yes|no) \| (yes|no) \|$/gm);
  expect([...documented].map(([, name, isRetried, isSplit]) => [name, isRetried === 'yes', isSplit === 'yes'])).toEqual(
    [...operations.values()].map(({ name, submission }) => {
      return [name, submission.makes !== 'change', submission.splitsWhenDeclined];
    }),
  );
});

test('no column sets the type of a submission (spec gap 39)', () => {
  const names = [...operations.values()].flatMap(({ columns }) =>
    columns.flatMap((column) => [column.name, ...column.aliases]),
  );
  expect(names).not.toContain('type');
});
