// A warm container runs many invocations: what a module keeps between them would leak from one into the next.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';

const root = new URL('../../', import.meta.url);

/** What it keeps is the same for whoever asks. */
const exempt = ['shared/row/calendar-date.ts'];

/** Variables of a module, and collections that begin empty: only to be filled. */
const state =
  /^(?:export )?(?:(?:let|var) \w+|const \w+(?:: (?![Rr]eadonly)[^=]+)? = (?:new (?:Map|Set)\b[^(]*\(\)|\[\]|\{\});)/gm;

const stateIn = (text: string): string[] => [...text.matchAll(state)].map(([line]) => line);

test('state of a module is recognised', () => {
  const text = ['let last = 0;', 'export const seen = new Set<string>();', 'const found: string[] = [];'].join('\n');
  expect(stateIn(text)).toHaveLength(3);
  const free = ['const none: ReadonlyMap<string, string> = new Map();', '  let inside = 0;', 'const one = [1];'].join(
    '\n',
  );
  expect(stateIn(free)).toEqual([]);
});

test('fault 50: a container that is used again finds nothing of the invocation before', () => {
  const files = globFiles('{functions,shared}/**/*.ts', { cwd: root }).filter((file) => !exempt.includes(file));
  const found = files.flatMap((file) =>
    stateIn(readFileSync(new URL(file, root), 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
