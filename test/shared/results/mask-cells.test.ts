// No cell of a row shows a porting code, whichever column it is in; references and words stay.
import { describe, expect, test } from 'vitest';
import type { Outcome } from '#shared/domain/imports/outcome.ts';
import { createCellMask } from '#shared/results/mask-cells.ts';

const columnIndexes = { msisdn: 0, serialNo: 1, pac: 2, reference: 3 };
const header = ['Number', 'SIM', 'PAC', 'Order', 'Notes', 'Old PAC', 'PAC expires'];
const valid = ['07700900123', '8944110068123456787', 'ABC123456', 'ORD123456', 'north', '', ''];

function shown(cells: Readonly<Record<number, string>>, outcome: Outcome = 'complete') {
  const row = valid.map((cell, index) => cells[index] ?? cell);
  const masked = createCellMask({ header, columnIndexes })(row, outcome);
  return Object.fromEntries(Object.keys(cells).map((index) => [index, masked[Number(index)]]));
}

describe('a cell with a code', () => {
  test.each<[string, number, string, Outcome, string]>([
    ['in its column', 2, 'ABC123456', 'complete', '***456'],
    ['in its column, too short', 2, 'ABC12', 'rejected', '***'],
    ['in a column that is not read', 4, 'XYZ 654-321', 'complete', '***321'],
    ['inside a text', 4, 'new code XYZ654321 from the owner', 'complete', '[redacted]'],
    ['inside a text with its name', 4, 'PAC: 12AB34', 'complete', '[redacted]'],
    ['of France', 4, '01A123456B7+', 'complete', '***B7+'],
    ['in a column that is named after codes, of no typical form', 5, '99881234', 'complete', '***234'],
    ['in the column of SIMs', 1, 'XYZ654321', 'rejected', '***321'],
    ['in the column of numbers', 0, 'XYZ654321', 'not-sent', '***321'],
    ['of the row, as its reference', 3, 'abc-123456', 'complete', '[redacted]'],
    ['of the row, inside its reference', 3, 'order ABC123456', 'declined', '[redacted]'],
  ])('%s is masked', (_, index, cell, outcome, mask) => {
    const masked = shown({ [index]: cell }, outcome)[index];
    expect(masked).toContain(mask);
    expect(masked).not.toContain(cell);
  });

  test('is masked as a reference where the column of codes has none', () => {
    const swapped = { 2: 'order 7', 3: 'XYZ654321' };
    expect(shown(swapped, 'rejected')).toEqual({ 2: '***r 7', 3: '***321' });
    expect(shown({ 2: '', 3: 'XYZ654321' }, 'rejected')).toEqual({ 2: '', 3: '***321' });
  });

  test('behind a guard against formulas is masked', () => {
    expect(shown({ 4: "'XYZ654321" })).toEqual({ 4: '***321' });
  });

  test('behind the last column of the header is masked', () => {
    expect(createCellMask({ header: ['a'], columnIndexes: {} })(['x', 'XYZ654321'], 'rejected')).toEqual([
      'x',
      '***321',
    ]);
  });

  test('in a file without the column of codes is masked', () => {
    expect(createCellMask({ header: ['Code'], columnIndexes: {} })(['XYZ654321'], 'complete')).toEqual(['***321']);
  });
});

test.each<[string, number, string, Outcome]>([
  ['a reference with the form of a code', 3, 'ORD123456', 'complete'],
  ['the same in a row with another code that is not valid otherwise', 3, 'ORD123456', 'rejected'],
  ['words', 4, 'depot of sim 5b', 'complete'],
  ['a number', 0, '07700900123', 'rejected'],
  ['a SIM', 1, '8944110068123456787', 'rejected'],
  ['a day in a column that is named after codes', 6, '2026-07-31', 'complete'],
  ['a name in a column of the operation, of a valid row', 1, 'NET123456', 'complete'],
])('%s stays', (_, index, cell, outcome) => {
  expect(shown({ [index]: cell }, outcome)).toEqual({ [index]: cell });
});

test('the reference of a row that needs no code stays', () => {
  expect(shown({ 2: '', 3: 'ORD123456' })).toEqual({ 2: '', 3: 'ORD123456' });
});

test('a mask is not masked again', () => {
  expect(shown({ 2: '***456' })).toEqual({ 2: '***456' });
});
