// The inputs of `npm run mutation` match the files. The mutation run itself takes minutes and is not part of the test
// suite.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Equivalent, equivalents } from './equivalents.ts';
import { percentOf, scoreOf } from './score.ts';
import { targets } from './targets.ts';

const textOf = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');

test('every file with rules of the domain is a target, once', () => {
  const files = targets.map(({ file }) => file);
  expect(files.filter((file) => file.startsWith('shared/domain/')).length).toBeGreaterThan(25);
  expect(new Set(files).size).toBe(files.length);
});

test('docs/contributing/reliability.md has the figures of every target once, by its command', () => {
  const rows = textOf('docs/contributing/reliability.md').match(/\| `--file [^`]+`/g) ?? [];
  const rowsOf = (file: string) =>
    rows.filter((row) => [...row.matchAll(/--file ([^ `]+)/g)].some(([, part = '']) => file.includes(part)));
  expect(targets.filter(({ file }) => rowsOf(file).length !== 1)).toEqual([]);
});

test.each(targets)('$file has tests', ({ file, tests }) => {
  expect(textOf(file)).not.toBe('');
  expect(tests).not.toEqual([]);
  for (const name of tests) expect(textOf(name)).toContain('test');
});

test.each(equivalents)(
  'an explanation matches one place: $file, $code',
  ({ file, code, on = code, times = 1, because }) => {
    expect(targets.map((target) => target.file)).toContain(file);
    expect(on).toContain(code);
    expect(textOf(file).split(on)).toHaveLength(times + 1);
    expect(because).not.toBe('');
  },
);

describe('a score', () => {
  const mutant = (id: string, code: string, text = code, column = 0) => ({
    id,
    mutator: 'M',
    line: 1,
    column,
    text,
    code,
    replacement: 'x',
  });
  const explanation = (code: string): Equivalent => ({ file: 'a.ts', code, replacement: 'x', because: 'why' });

  test('excludes explained mutants, and lists explanations of mutants that do not live', () => {
    const mutated = { killed: [mutant('1', 'a')], alive: [mutant('2', 'b'), mutant('3', 'c')] };
    const score = scoreOf('a.ts', mutated, [explanation('a'), explanation('b'), { ...explanation('c'), file: 'b.ts' }]);
    expect(score).toMatchObject({ killed: 1, justified: 1, survivors: [{ id: '3' }], stale: [{ code: 'a' }] });
    expect(percentOf([score])).toBe(50);
  });

  test('distinguishes repeated code by the part of the line in the explanation', () => {
    const [first, second] = [mutant('1', 'a', 'f(a) + g(a)', 2), mutant('2', 'a', 'f(a) + g(a)', 9)];
    const mutated = { killed: [], alive: [first, second, mutant('3', 'a', 'h(a)', 2)] };
    const alive = (on: string) => scoreOf('a.ts', mutated, [{ ...explanation('a'), on }]).survivors.map(({ id }) => id);
    expect([alive('f(a)'), alive('g(a)'), alive('f(a) + g(a)'), alive('a')]).toEqual([
      ['2', '3'],
      ['1', '3'],
      ['3'],
      [],
    ]);
  });

  test('is rounded down, so that 100 means all', () => {
    const score = { file: '', killed: 1999, justified: 0, survivors: [mutant('1', 'a')], stale: [] };
    expect(percentOf([score])).toBe(99.9);
    expect(percentOf([{ ...score, survivors: [] }])).toBe(100);
  });
});
