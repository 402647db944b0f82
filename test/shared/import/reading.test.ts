// When a file may be read again, and what only a person can say about it.
import { describe, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import {
  asksHowToRead,
  findChangeProblem,
  findReadingProblem,
  placeOfAnswer,
  readingOf,
} from '#shared/import/reading.ts';
import { errorAt, type Issue, warning } from '#shared/row/issue.ts';
import { someImport } from '../../support/cli/imports.ts';

const mark = { by: 'Sam', at: '2026-07-06T09:00:00.000Z' };
const draft = (changes: Partial<ImportItem> = {}) => someImport({ state: 'planned', planOnly: true, ...changes });
test('a file was read once, or as often as its item says', () => {
  expect([readingOf(draft()), readingOf(draft({ reading: { count: 3 } as never }))]).toEqual([1, 3]);
});

describe('a file can be read again', () => {
  test('while its plan waits for approval, and after it was rejected', () => {
    expect(findReadingProblem(draft())).toBeUndefined();
    expect(findReadingProblem(someImport({ state: 'rejected' }))).toBeUndefined();
  });

  test.each<[Partial<ImportItem>, string]>([
    [{ state: 'planning' }, 'still being read'],
    [{ state: 'in-progress' }, 'Only a file that waits for approval'],
    [{ planOnly: false }, 'Only a file that waits for approval'],
    [{ approvedAt: mark.at }, 'Only a file that waits for approval'],
    [{ operation: null }, 'Only a file that waits for approval'],
    [{ adoptedPort: 'port-1' }, 'Only a file that waits for approval'],
    [{ archived: mark }, 'archived. Restore it'],
    [{ hasParts: true }, 'A correction of this file was imported'],
  ])('but not with %j: %s', (changes, problem) => {
    expect(findReadingProblem(draft(changes))).toContain(problem);
  });

  test('and its rows can be changed in place, unless it corrects another import', () => {
    expect(findChangeProblem(draft())).toBeUndefined();
    expect(findChangeProblem(draft({ state: 'planning' }))).toContain('still being read');
    expect(findChangeProblem(draft({ correctionOf: 'first' as never }))).toContain('corrects another import');
  });
});

describe('the place of an answer', () => {
  const ambiguous = errorAt(0, 'DATE_ORDER_AMBIGUOUS', 'x');
  const tooMany = errorAt(0, 'FILE_THRESHOLD_EXCEEDED', 'x');
  const unreadable = errorAt(0, 'FILE_TOO_LARGE', 'x');

  test('is the file, if it alone can answer one of the errors, then the reading, then the rows', () => {
    expect(placeOfAnswer([ambiguous, unreadable, tooMany])).toBe('file');
    expect(placeOfAnswer([ambiguous, tooMany])).toBe('reading');
    expect(placeOfAnswer([tooMany])).toBe('rows');
  });

  test('is asked for before any row is validated, and only while the file can be read again', () => {
    const asks = (issues: readonly Issue[], changes: Partial<ImportItem> = {}) =>
      asksHowToRead(someImport({ state: 'rejected', rows: 0, issues: [...issues], ...changes }));
    const beside: Issue = { line: 0, column: null, ...warning('FILE_SAME_CONTENT', 'x') };
    expect(asks([ambiguous])).toBe(true);
    expect(asks([ambiguous, beside])).toBe(true);
    expect(asks([ambiguous, unreadable])).toBe(false);
    expect(asks([ambiguous], { rows: 3 })).toBe(false);
    expect(asks([ambiguous], { state: 'planned' })).toBe(false);
    expect(asks([ambiguous], { archived: mark })).toBe(false);
  });
});
