// The problems by which the grid of rows is filtered.
import { expect, test } from 'vitest';
import { groupProblems } from '../../console/screens/review/problem-groups.ts';
import type { RowIssue } from '../../console/screens/review/row-states.ts';

const unknown = (text: string): RowIssue => ({
  code: 'BOLT_ON_UNKNOWN',
  column: 'boltOns',
  severity: 'error',
  message: `There is no bolt-on "${text}"`,
});

test('a row with two wrong entries in one cell is one row of its group', () => {
  const warned: RowIssue = { ...unknown('1'), severity: 'warning' };
  const rows = [
    { line: 2, issues: [unknown('998'), unknown('999')] },
    { line: 3, issues: [unknown('998'), warned] },
  ];
  const states = new Map([[2, { progress: 'fixed' as const }]]);
  expect(groupProblems(rows, states)).toEqual([
    { code: 'BOLT_ON_UNKNOWN', column: 'boltOns', message: unknown('998').message, rows: 2, fixed: 1 },
  ]);
});
