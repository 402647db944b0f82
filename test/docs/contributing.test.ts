// CONTRIBUTING.md lists every folder, and the files that it names for a change exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const page = readFileSync('CONTRIBUTING.md', 'utf8');
const chapter = (title: string): string[] =>
  page
    .split(/^## /m)
    .find((text) => text.startsWith(title))
    ?.split('\n') ?? [];

test('every folder with code is in the table of folders', () => {
  const [above = '', below = ''] = chapter('Where things are').join('\n').split('Where does new code belong?');
  expect(below).not.toBe('');
  const listed = [...above.matchAll(/^\| `([\w/-]+)/gm)].map(([, folder = '']) => folder.replace(/\/$/, ''));
  const foldersIn = (path: string) =>
    readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name));
  const ignored = readFileSync('.gitignore', 'utf8')
    .split('\n')
    .map((line) => line.replaceAll('/', ''));
  const folders = [
    ...foldersIn('.').map(({ name }) => name),
    ...foldersIn('shared').map(({ name }) => `shared/${name}`),
    ...foldersIn('functions').map(({ name }) => `functions/${name}`),
  ].filter((folder) => ![...ignored, 'docs', 'shared'].includes(folder));
  // `functions/<step>/` stands for all steps.
  expect(
    folders.filter(
      (folder) => !listed.some((name) => folder === name || (name === 'functions' && folder.startsWith('functions/'))),
    ),
  ).toEqual([]);
});

test('every file that a change needs exists', () => {
  const rows = chapter('What to change for what').filter((line) => line.startsWith('| '));
  expect(rows.length).toBeGreaterThan(12);
  const named = rows.flatMap((row) => {
    let folder = '';
    return (row.split(' | ')[1] ?? '').match(/`[\w./-]+`/g)?.map((span) => {
      const name = span.slice(1, -1);
      if (name.includes('/')) folder = name.endsWith('/') ? name : dirname(name);
      return name.includes('/') || existsSync(name) ? name : join(folder, name);
    });
  });
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => path !== undefined && !existsSync(path))).toEqual([]);
});
