// docs/guides/test-with-the-simulator.md: its blocks are one program, and it is executed as it is.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

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
