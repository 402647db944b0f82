// The README's tables say what the code says.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createPort } from '#shared/operations/create-port.ts';
import type { Column, Operation } from '#shared/operations/operation.ts';
import { operations } from '#shared/operations/registry.ts';

const rowOf = ({ name, required, example, help }: Column) =>
  `| \`${name}\` | ${required ? 'yes' : ''} | \`${example}\` | ${help} |`;

test('the table of create-port columns is the list of its columns', async () => {
  const readme = await readFile('README.md', 'utf8');

  const table = /<!-- columns of create-port[^>]*-->\s*\|[^\n]*\n\|[-:|]*\n([\s\S]*?)<!-- end of columns -->/.exec(
    readme,
  )?.[1];

  expect(table?.trim().split('\n')).toEqual(createPort.columns.map(rowOf));
});

const neededColumns = ({ columns }: Operation): string =>
  columns
    .filter(({ required }) => required)
    .map(({ name }) => `\`${name}\``)
    .join(', ');

test('the table of operations lists every operation with the columns it needs', async () => {
  const readme = await readFile('README.md', 'utf8');

  const table = /<!-- operations:[^>]*-->\s*\|[^\n]*\n\|[-|]*\n([\s\S]*?)<!-- end of operations -->/.exec(readme)?.[1];
  const stated = table
    ?.trim()
    .split('\n')
    .map((row) => row.split(' | ').slice(0, 2).join(' | ').replace('none: `portId` or `msisdn`', ''));

  expect(stated).toEqual([...operations.values()].map((each) => `| \`${each.name}\` | ${neededColumns(each)}`));
});

test('every file that the README points at is there', async () => {
  const readme = await readFile('README.md', 'utf8');
  const targets = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] as string);

  expect(targets.length).toBeGreaterThan(8);
  expect(targets.filter((target) => !existsSync(target))).toEqual([]);
});
