import { expect, test } from 'vitest';
import { describeProblems } from '#cli/commands/imports.ts';
import { errorAt } from '#shared/row/issue.ts';
import { someImport } from '../../support/cli/imports.ts';

test('the list of imports counts duplicates apart from rejected rows, as every other screen', () => {
  const item = someImport({
    rejected: 10,
    duplicates: 1,
    skippedRows: 2,
    actionRequired: 3,
    requests: { declined: 1 },
  });
  expect(describeProblems(item)).toBe('9 rejected, 1 duplicate, 2 skipped, 1 request declined, 3 action required');
  // Also those that were declined by name, while the others of their request were sent.
  const counted = { ...item, requests: {}, progress: { outcomes: { declined: 4 } } };
  expect(describeProblems(counted)).toBe('9 rejected, 1 duplicate, 2 skipped, 4 declined, 3 action required');
  expect(describeProblems({ ...item, duplicates: 10 })).toMatch(/^10 duplicates, /);
  expect(describeProblems(someImport({ rejected: 0, requests: {} }))).toBe('');
});

test('the list of imports shows why a file was rejected', () => {
  const missing = errorAt(1, 'HEADER_MISSING_COLUMN', 'the column portType is missing');
  const issues = [{ ...missing, severity: 'notice' as const, message: 'a notice' }, missing];
  expect(describeProblems(someImport({ state: 'rejected', rows: 0, rejected: 0, issues }))).toBe(missing.message);
});
