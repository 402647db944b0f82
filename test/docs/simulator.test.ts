// The pages about the simulator: their figures, programs and tests are those of the code.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import catalogue from '#simulator/catalogue/default.json' with { type: 'json' };

// docs/reference/simulator.md: its figures are those of the code.
describe('the reference', () => {
  const page = readFileSync(new URL('../../docs/reference/simulator.md', import.meta.url), 'utf8');

  test('the numbers of the catalogue, which cannot be ported in, are within the ranges of the page', () => {
    const [, ...ends] = /within 07700 (\d+) to (\d+) and 06 39 98 00 (\d+) to (\d+)/.exec(page) ?? [];
    const [ukFirst = '', ukLast = '', frenchFirst = '', frenchLast = ''] = ends;
    const isWithin = (number: string) =>
      (number >= `447700${ukFirst}` && number <= `447700${ukLast}`) ||
      (number >= `336399800${frenchFirst}` && number <= `336399800${frenchLast}`);
    const numbers = catalogue.stock.flatMap(({ msisdn }) => msisdn ?? []);
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter((number) => !isWithin(number))).toEqual([]);
  });
});

// docs/guides/test-with-the-simulator.md: its blocks are one program, and it is executed as it is.
describe('the guide', () => {
  const page = readFileSync(new URL('../../docs/guides/test-with-the-simulator.md', import.meta.url), 'utf8');

  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block);

  test('every block of the recipes runs, one after another, and every expectation in them holds', async () => {
    const folder = mkdtempSync(join(import.meta.dirname, 'recipes-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, 'recipes.ts');
    writeFileSync(program, `import { expect } from 'vitest';\n${blocks.join('\n')}\nexport const finished = true;\n`);
    expect(((await import(program)) as { finished: boolean }).finished).toBe(true);
    expect(blocks.length).toBeGreaterThan(10);
  });

  test('every recipe has an example', () => {
    const recipes = page.split('\n## ').slice(1);
    expect(recipes.filter((recipe) => !/```(ts|console)/.test(recipe))).toEqual([]);
  });
});

// docs/contributing/spec-coverage.md: every statement of the spec has a test that exists.
describe('the coverage of the specification', () => {
  const page = readFileSync(new URL('../../docs/contributing/spec-coverage.md', import.meta.url), 'utf8');

  /** Each entry, `- ids and what they are about: title`, with the test file that the heading above it names. */
  const entries = page.split(/^## /m).flatMap((section) => {
    const [file = '', ...lines] = section.split(/\n+(?=- )/);
    return lines.map((line) => {
      const [statements = '', ...title] = line.replaceAll(/\s+/g, ' ').trim().split(': ');
      return { ids: statements.match(/\b[A-Z]+-\d+\b/g) ?? [], file: file.trim(), title: title.join(': ') };
    });
  });

  /** True where the file has a test of this title, as `test('…'` or behind a table of `test.each`. */
  const hasTest = (file: string, title: string): boolean => {
    if (title === '' || !existsSync(file)) return false;
    const source = readFileSync(file, 'utf8').replaceAll(/\n +/g, '\n');
    return [`'${title}'`, `"${title}"`, `\`${title}\``].some(
      (quoted) => source.includes(`(${quoted},`) || source.includes(`\n${quoted},`),
    );
  };

  test('each statement has one test, and none is left out', () => {
    const numbers = Map.groupBy(
      entries.flatMap(({ ids }) => ids),
      (id) => id.replace(/-.*/, ''),
    );
    expect([...numbers.values()].flat()).toHaveLength(161);
    const kept = [...numbers.values()].map((ids) =>
      ids.map((id) => Number(id.replace(/.*-/, ''))).toSorted((one, other) => one - other),
    );
    expect(kept).toEqual(kept.map((list) => list.map((_, index) => index + 1)));
  });

  test('every statement names a test that exists', () => {
    expect(entries.filter(({ file, title }) => !hasTest(file, title))).toEqual([]);
  });

  test('a statement without a test is found', () => {
    const file = 'test/simulator/auth.test.ts';
    expect(hasTest(file, '')).toBe(false);
    expect(hasTest(file, 'no such test')).toBe(false);
    expect(hasTest('nowhere', 'a client sees its own account only')).toBe(false);
    expect(hasTest(file, 'a client sees its own account only')).toBe(true);
  });
});
