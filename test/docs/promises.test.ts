// What the pages about security promise is proved by the tests that they name: beside the promise as
// `([test](file "title of the test"))`, or in a table "Tests" at the end of the page.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const pages = globFiles('{*.md,docs/**/*.md,{bench,console,local,simulator}/*.md}');

interface NamedTest {
  readonly page: string;
  readonly path: string;
  readonly title: string;
}

const besidePromises = (page: string): NamedTest[] =>
  [...read(page).matchAll(/\[test\]\(([^)\s]+)(?:\s+"([^"]*)")?\)/g)].map(([, path = '', title = '']) => ({
    page,
    path: join(dirname(page), path),
    title: title.replaceAll(/\s+/g, ' '),
  }));

/** The rows of the table at the end: what a promise is about, the title of its test, and the file. */
const inTable = (page: string): (NamedTest & { readonly about: string })[] => {
  const [, table = ''] = read(page).split(/^## Tests$/m);
  return [...table.matchAll(/^\| (.+?) \| (.+?) \| \[[^\]]+\]\(([^)]+)\) \|$/gm)].map(
    ([, about = '', title = '', path = '']) => ({ page, about, title, path: join(dirname(page), path) }),
  );
};

const named: readonly NamedTest[] = pages.flatMap((page) => [...besidePromises(page), ...inTable(page)]);

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

/** Paragraphs, entries of lists and rows of tables, without the table of tests. */
const blocksOf = (text: string): string[] =>
  text
    .replace(/^## Tests$[\s\S]*/m, '')
    .replaceAll(/^```.*?^```/gms, '')
    .split(/\n\n|\n(?=[|-])/)
    .filter((block) => !/^(#|\|[-:| ]+\|$)/.test(block.trim()));

/** What a paragraph or a row is about: the words in bold at its beginning, or its first cell. */
const subjectOf = (block: string): string | undefined =>
  /^\*\*([^*]+)\.\*\*/.exec(block.trim())?.[1] ?? /^\| ([^|]+?) \|/.exec(block.trim())?.[1];

/** What the person who reads it has to do, or how the project answers people, or where simporter protects nothing. */
const instructions = [/^Do not open a public issue/, /^You get an answer/, /^- Wait until the imports/, /^\*\*One gap/];

const unproved = (text: string, subjects: readonly string[]): string[] =>
  blocksOf(text).filter(
    (block) =>
      promise.test(block) &&
      !block.includes('[test](') &&
      !subjects.includes(subjectOf(block) ?? '') &&
      !instructions.some((one) => one.test(block.trim())),
  );

describe.each(['SECURITY.md', 'docs/guides/data-protection.md'])('%s', (page) => {
  test('names the test of each promise', () => {
    expect(blocksOf(read(page)).filter((block) => promise.test(block)).length).toBeGreaterThan(3);
    const subjects = inTable(page).map(({ about }) => about);
    expect(unproved(read(page), subjects)).toEqual([]);
  });
});

test('the table of tests has no row about something that the page does not promise', () => {
  const subjects = new Set(blocksOf(read('SECURITY.md')).map(subjectOf));
  expect(inTable('SECURITY.md').length).toBeGreaterThan(10);
  expect(inTable('SECURITY.md').filter(({ about }) => !subjects.has(about))).toEqual([]);
});

/** The cells of the rows of a table: who, and what this person can do at most. */
const abuses = (page: string): [who: string, what: string][] => {
  const [, section = ''] = page.split(/^## What each person can do at most$/m);
  const [table = ''] = section.split(/^## /m);
  return [...table.matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(1).map(([, who = '', what = '']) => [who, what]);
};

test('what each person can do at most is stated, each line with its test', () => {
  const found = abuses(read('SECURITY.md'));
  const people = ['a stranger with an upload link', 'a viewer', 'an uploader', 'an approver', 'an operator'];
  expect([...new Set(found.map(([who]) => who))]).toEqual(people);
  expect(found.filter(([, what]) => !/\(\[test\]\([^)\s]+ "[^"]+"\)\)$/.test(what))).toEqual([]);
});

test('a promise without a test is found', () => {
  const page = '**Logs.** A log has no number.\n\n**Events.** An event has no number.\n\nNobody reads it.\n';
  expect(unproved(page, ['Logs'])).toEqual(['**Events.** An event has no number.', 'Nobody reads it.\n']);
});

/** As in "no PAC", "never a token"; not the 401 for "no valid token". */
const secretPromise = /\b(no|never|neither)\b(?! valid token)[^.|]*\b(PACs?|tokens?|secrets?)\b/i;

test('a guide or a reference that promises something about PACs, tokens or secrets names its test', () => {
  const unprovedSecrets = globFiles('docs/{guides,reference,start,concepts}/*.md').flatMap((page) =>
    blocksOf(read(page))
      .filter((block) => secretPromise.test(block) && !/\[tests?\]\(/.test(block))
      .map((block) => [page, block]),
  );
  expect(unprovedSecrets).toEqual([]);
});
