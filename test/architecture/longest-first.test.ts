// The list of the test files that start first names files that exist.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longest } from '../support/longest-first.ts';

test('every test file that is to start first exists', () => {
  const root = new URL('../', import.meta.url);
  expect(longest.filter((name) => !existsSync(new URL(`${name}.test.ts`, root)))).toEqual([]);
});
