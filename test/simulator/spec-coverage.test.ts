// docs/contributing/spec-coverage.md: every statement of the spec has a test that exists.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../docs/contributing/spec-coverage.md', import.meta.url), 'utf8');
const statements = [...page.matchAll(/^\| ([A-Z]+-\d+) \| (.+?) \| (\S*) \| (.*?) \|$/gm)].map(
  ([, id = '', statement = '', file = '', title = '']) => ({ id, statement, file, title }),
);

const sources = new Map(
  readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => [name.replace(/(\.slow)?\.test\.ts$/, ''), readFileSync(new URL(name, import.meta.url), 'utf8')]),
);

/** True where the file has a test of this title, as `test('…'` or behind a table of `test.each`. */
const hasTest = (file: string, title: string): boolean => {
  const source = sources.get(file) ?? '';
  return (
    title !== '' &&
    [`'${title}'`, `"${title}"`, `\`${title}\``].some(
      (quoted) => source.includes(`(${quoted},`) || source.includes(`\n  ${quoted},`),
    )
  );
};

test('the page has all of its statements', () => {
  expect(statements.length).toBe(page.split('\n').filter((line) => /^\| [A-Z]/.test(line)).length);
  expect(statements.length).toBeGreaterThan(140);
});

test('an id stands for one statement', () => {
  const ids = statements.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every statement names a test that exists', () => {
  expect(statements.filter(({ file, title }) => !hasTest(file, title))).toEqual([]);
});

test('a statement without a test is found', () => {
  expect(hasTest('token', '')).toBe(false);
  expect(hasTest('token', 'no such test')).toBe(false);
  expect(hasTest('nowhere', 'a client sees its own account only')).toBe(false);
  expect(hasTest('token', 'a client sees its own account only')).toBe(true);
});
