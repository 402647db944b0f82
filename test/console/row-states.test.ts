// What the grid says of each row while a person fixes them.
import { expect, test } from 'vitest';
import type { ImportRow } from '../../console/api/answers.ts';
import { type ChangedRow, type RowCheck, type RowIssue, rowStates } from '../../console/screens/review/row-states.ts';

const wrong: RowIssue = { column: 'pac', code: 'PAC_SHAPE', severity: 'error', message: 'no PAC' };
const rowAt = (line: number) => ({ line, issues: [wrong] }) as unknown as ImportRow;
const changedAt = (line: number) => ({ row: rowAt(line), text: `cells of ${line}` }) as unknown as ChangedRow;
const checkOf = (line: number, value: string, issues: readonly RowIssue[] = []): [number, RowCheck] => [
  line,
  { checked: `cells of ${line}`, issues, unique: [{ column: 'msisdn', value }] },
];

function statesOf(...checks: (readonly [number, RowCheck])[]) {
  const lines = checks.map(([line]) => line);
  const states = rowStates(lines.map(rowAt), lines.map(changedAt), new Map(checks), new Set());
  return lines.map((line) => [states.get(line)?.progress, states.get(line)?.issues.map(({ message }) => message)]);
}

test('fixed rows with the same number are all shown as duplicates, whichever was fixed first', () => {
  expect(statesOf(checkOf(2, '447700900001'), checkOf(900, '447700900002'), checkOf(7, '447700900001'))).toEqual([
    ['invalid', ['447700900001 is also on line 7']],
    ['fixed', []],
    ['invalid', ['447700900001 is also on line 2']],
  ]);
});

test('a row that is invalid for another reason is not sent, so no other row repeats it', () => {
  expect(statesOf(checkOf(2, '447700900001', [wrong]), checkOf(7, '447700900001'))).toEqual([
    ['invalid', ['no PAC']],
    ['fixed', []],
  ]);
});
