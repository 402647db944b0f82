// Every link between pages leads somewhere, every path that they name exists, and README or CONTRIBUTING link to each
// page.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';

const pages = globFiles('{*.md,docs/**/*.md,{bench,console,local,simulator}/*.md}');

/** GitHub's anchor of a heading: lower case, without punctuation, a hyphen for each space. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const linksOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?(?:\s+"[^"]*")?\)/g)].map(
    ([, path = '', anchor]) => ({ path: path === '' ? page : join(dirname(page), path), anchor }),
  );

test.each(pages)('every link of %s leads to a file and a heading', (page) => {
  const broken = linksOf(page).filter(
    ({ path, anchor }) => !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

/** Paths in code spans, such as `infra/config.ts`; placeholders and patterns are left out. */
const pathsOf = (page: string): string[] =>
  [
    ...readFileSync(page, 'utf8').matchAll(
      /`((?:infra|functions|simulator|shared|local|cli|bench|test|docs|examples)\/[\w./-]+)`/g,
    ),
  ]
    .map(([, path = '']) => path)
    .filter((path) => !/^docs\/decisions\/\d+$/.test(path));

test.each(pages)('every path that %s names exists', (page) => {
  expect(pathsOf(page).filter((path) => !existsSync(path))).toEqual([]);
});

test.each(pages)('%s has no markers of a merge conflict', (page) => {
  expect(readFileSync(page, 'utf8').match(/^(<<<<<<<|>>>>>>>)/gm)).toBeNull();
});

test.each(pages)('every table of %s has a header: a blank line ends a table', (page) => {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '');
  expect([...text.matchAll(/(?<=\n\n)\|.*\n(?!\|[\s:|-]+\|\n).*/g)].map(([rows]) => rows)).toEqual([]);
});

test('the README links to every page for users, and CONTRIBUTING to those for contributors', () => {
  const linked = ['README.md', 'CONTRIBUTING.md'].flatMap(linksOf).map(({ path }) => path);
  expect(linked.length).toBeGreaterThan(8);
  expect(globFiles('docs/*/*.md', { exclude: ['docs/decisions'] }).filter((path) => !linked.includes(path))).toEqual(
    [],
  );
});
