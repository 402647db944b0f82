// The defects of `npm run -s sabotage`, which runs for an hour and stops at one that does not fit the code any more.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sabotages } from '../sabotages.ts';

const root = resolve(import.meta.dirname, '..', '..');

test('each defect replaces a text that its file has exactly once', () => {
  const timesIn = (file: string, text: string) => readFileSync(join(root, file), 'utf8').split(text).length - 1;
  expect(sabotages.filter(({ file, from }) => timesIn(file, from) !== 1)).toEqual([]);
});
