import { expect, test } from 'vitest';
import { describeProblems, stateCell } from '#cli/commands/imports.ts';
import { describeState } from '#cli/views/import-view.ts';
import { errorAt } from '#shared/row/issue.ts';
import { someImport } from '../../support/cli/imports.ts';

test('the list of imports counts duplicates apart from rejected rows, as every other screen', () => {
  const item = someImport({
    actionRequired: 3,
    progress: { outcomes: { rejected: 9, duplicate: 1, skipped: 2, declined: 4 } },
  });
  expect(describeProblems(item)).toBe('9 rejected, 1 duplicate, 2 skipped, 4 declined, 3 action required');
  expect(describeProblems(someImport({ rejected: 10, duplicates: 10 }))).toBe('10 duplicates');
  expect(describeProblems(someImport({ rejected: 0, requests: {} }))).toBe('');
});

test('the list of imports counts what the parts of an import did', () => {
  const outcomes = { complete: 5, cancelled: 1 };
  const own = { rejected: 2, declined: 3, cancelled: 1 };
  const first = someImport({ rejected: 2, progress: { outcomes: own }, outcomes, merged: { parts: 1, hidden: own } });
  expect(describeProblems(first)).toBe('');
  expect(describeProblems(first, [someImport({ actionRequired: 2 })])).toBe('2 action required');
});

test('the list of imports shows why a file was rejected', () => {
  const missing = errorAt(1, 'HEADER_MISSING_COLUMN', 'the column portType is missing');
  const issues = [{ ...missing, severity: 'notice' as const, message: 'a notice' }, missing];
  expect(describeProblems(someImport({ state: 'rejected', rows: 0, rejected: 0, issues }))).toBe(missing.message);
});

test('a file that waits for answers in the console is not rejected, in the list and by itself', () => {
  const asks = { ...errorAt(1, 'DATE_ORDER_AMBIGUOUS', 'say which order the dates have'), column: 'connectionDate' };
  const uploaded = { key: 'plan/create-port/july.csv', planOnly: true, rows: 0, accepted: 0, rejected: 0 };
  const item = someImport({ ...uploaded, state: 'rejected', issues: [asks] });
  const wrong = { ...item, issues: [errorAt(0, 'FILE_EMPTY', 'the file is empty')] };
  expect([stateCell(item), stateCell(wrong)]).toEqual(['waits for answers', 'rejected']);
  expect(describeState(item, { outcomes: {} })).toBe(
    'waits for answers: nothing of the file was sent. Answer in the console, or import it again as its findings say',
  );
  expect(describeState(wrong, { outcomes: {} })).toMatch(/^rejected: /);
});
