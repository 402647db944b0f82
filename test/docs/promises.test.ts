// What the pages about security promise is proved by the tests that they name: `([test](file "title of the test"))`.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const pages = globFiles('{*.md,docs/**/*.md,{bench,console,local,simulator}/*.md}');

const named = pages.flatMap((page) =>
  [...read(page).matchAll(/\[test\]\(([^)\s]+)(?:\s+"([^"]*)")?\)/g)].map(([, path = '', title = '']) => ({
    page,
    path: join(dirname(page), path),
    title: title.replaceAll(/\s+/g, ' '),
  })),
);

/** As in the code: `test('title', ...)`, or with `%s` for its cases. */
const hasTest = (path: string, title: string): boolean =>
  title !== '' && existsSync(path) && [`'${title}'`, `\`${title}\``].some((text) => read(path).includes(text));

test.each(named)('$page names a test of $path: $title', ({ path, title }) => {
  expect(hasTest(path, title)).toBe(true);
});

test('a test that does not exist is found', () => {
  const [one] = named;
  expect(named.length).toBeGreaterThan(20);
  expect(hasTest(one?.path ?? '', 'a test that nobody wrote')).toBe(false);
});

/** Sentences with these words promise something, where they are about what is stored, sent or allowed. */
const promise = /\b(never|no|only|cannot|neither|nobody|every|each|at most)\b/i;

/** Paragraphs, entries of lists and rows of tables. */
const blocksOf = (text: string): string[] =>
  text
    .replaceAll(/^```.*?^```/gms, '')
    .split(/\n\n|\n(?=[|-])/)
    .filter((block) => !/^(#|\|[-:| ]+\|$)/.test(block.trim()));

/** What the person who reads it has to do, or how the project answers people. */
const instructions = [/^Do not open a public issue/, /^You get an answer/, /^- Wait until the imports/];

describe.each(['SECURITY.md', 'docs/guides/data-protection.md'])('%s', (page) => {
  test('names the test of each promise', () => {
    const promises = blocksOf(read(page)).filter((block) => promise.test(block));
    expect(promises.length).toBeGreaterThan(3);
    const unproved = promises.filter(
      (block) => !block.includes('[test](') && !instructions.some((one) => one.test(block.trim())),
    );
    expect(unproved).toEqual([]);
  });
});

/** As in "no PAC", "never a token"; not the 401 for "no valid token". */
const secretPromise = /\b(no|never|neither)\b(?! valid token)[^.|]*\b(PACs?|tokens?|secrets?)\b/i;

test('a guide or a reference that promises something about PACs, tokens or secrets names its test', () => {
  const unproved = globFiles('docs/{guides,reference,start,concepts}/*.md').flatMap((page) =>
    blocksOf(read(page))
      .filter((block) => secretPromise.test(block) && !/\[tests?\]\(/.test(block))
      .map((block) => [page, block]),
  );
  expect(unproved).toEqual([]);
});
