// No cell of a row shows a porting code, whichever column it is in; references and words stay.
import { describe, expect, test } from 'vitest';
import type { Outcome } from '#shared/outcome/outcome.ts';
import { createCellMask, maskHeader } from '#shared/results/mask-cells.ts';

const columnIndexes = { msisdn: 0, serialNo: 1, pac: 2, reference: 3 };
const header = ['Number', 'SIM', 'PAC', 'Order', 'Notes', 'Old PAC', 'PAC expires'];
const valid = ['07700900123', '8944110068123456787', 'ABC123456', 'ORD123456', 'north', '', ''];

function shown(cells: Readonly<Record<number, string>>, outcome: Outcome = 'complete') {
  const row = valid.map((cell, index) => cells[index] ?? cell);
  const masked = createCellMask({ header, columnIndexes }, [valid])(row, outcome);
  return Object.fromEntries(Object.keys(cells).map((index) => [index, masked[Number(index)]]));
}

describe('a cell with a code', () => {
  test.each<[string, number, string, Outcome, string]>([
    ['in its column', 2, 'ABC123456', 'complete', '***56'],
    ['in its column, too short', 2, 'ABC12', 'rejected', '***'],
    ['in a column that is not read', 4, 'XYZ 654-321', 'complete', '***21'],
    ['inside a text', 4, 'new code XYZ654321 from the owner', 'complete', '[redacted]'],
    ['inside a text with its name', 4, 'PAC: 12AB34', 'complete', '[redacted]'],
    ['of France', 4, '01A123456B7+', 'complete', '***7+'],
    ['in a column that is named after codes, of no typical form', 5, '99881234', 'complete', '***34'],
    ['in the column of SIMs', 1, 'XYZ654321', 'rejected', '***21'],
    ['in the column of numbers', 0, 'XYZ654321', 'not-sent', '***21'],
    ['of the row, as its reference', 3, 'abc-123456', 'complete', '***56'],
    ['of the network of the row, as its reference', 3, 'ABC123457', 'complete', '***57'],
    ['with characters that nobody sees', 4, 'XYZ\u200d654\u2066321', 'complete', '***21'],
    ['in letters of full width', 4, '\uff38\uff39\uff3a654321', 'complete', '***21'],
    ['of the row, inside its reference', 3, 'order ABC123456', 'declined', '[redacted]'],
  ])('%s is masked', (_, index, cell, outcome, mask) => {
    const masked = shown({ [index]: cell }, outcome)[index];
    expect(masked).toContain(mask);
    expect(masked).not.toContain(cell);
  });

  test('in a column that is named after codes is masked in all columns of its row', () => {
    expect(shown({ 4: 'was 99.88-1234', 5: '99881234' })).toEqual({ 4: 'was [redacted]', 5: '***34' });
    expect(shown({ 4: 'on 2026-07-01', 6: '2026-07-01' })).toEqual({ 4: 'on 2026-07-01', 6: '2026-07-01' });
  });

  test('is masked as a reference where the column of codes has none', () => {
    const swapped = { 2: 'order 7', 3: 'XYZ654321' };
    expect(shown(swapped, 'rejected')).toEqual({ 2: '*** 7', 3: '***21' });
    expect(shown({ 2: '', 3: 'XYZ654321' }, 'rejected')).toEqual({ 2: '', 3: '***21' });
  });

  test('behind a guard against formulas is masked', () => {
    expect(shown({ 4: "'XYZ654321" })).toEqual({ 4: '***21' });
  });

  test('behind the last column of the header is masked', () => {
    expect(createCellMask({ header: ['a'], columnIndexes: {} })(['x', 'XYZ654321'], 'rejected')).toEqual([
      'x',
      '***21',
    ]);
  });

  test('in a file without the column of codes is masked', () => {
    expect(createCellMask({ header: ['Code'], columnIndexes: {} })(['XYZ654321'], 'complete')).toEqual(['***21']);
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
  expect(shown({ 2: '***56' })).toEqual({ 2: '***56' });
});

describe('with other rows of the file', () => {
  const pac = 'VOD111222';
  const names = ['msisdn', 'pac', 'reference', 'portType'];
  /** The first cell of the first row. */
  const first = (columns: readonly string[], ...rows: readonly (readonly string[])[]) => {
    const known = columns.flatMap((name, index) => (names.includes(name) ? [[name, index] as const] : []));
    return createCellMask({ header: columns, columnIndexes: Object.fromEntries(known) }, rows)(
      rows[0] ?? [],
      'rejected',
    )[0];
  };

  test.each<[string, readonly string[], ...(readonly string[])[]]>([
    ['of the column reference', ['reference', 'pac'], ['ORD123456', pac]],
    ['of a column that is named for references', ['Order no.', 'pac'], ['ORD123456', pac]],
    ['of a name without spaces', ['customerRef', 'pac'], ['ORD123456', pac]],
    ['of a file without PACs', ['Ticket'], ['ORD123456']],
    ['of a row that needs no PAC', ['reference', 'pac', 'portType'], ['ORD123456', '', 'Migrate']],
    ['of an invalid row among others', ['reference', 'pac'], ['ORD123456', ''], ['ORD123457', pac]],
    ['of most rows', ['reference', 'pac'], ['ORD123456', pac], ['ORD123457', pac], ['depot', pac]],
    [
      'of a file in which one is in the wrong column',
      ['reference', 'pac'],
      ...[1, 2, 3, 4].map((index) => [`ORD12345${index}`, pac]),
      [pac, 'ORD123455'],
    ],
  ])('a reference %s stays', (_, columns, ...rows) => expect(first(columns, ...rows)).toBe(rows[0]?.[0]));

  test.each<[string, readonly string[], ...(readonly string[])[]]>([
    ['of another column', ['Notes', 'pac'], ['ORD123456', pac], ['ORD123457', pac]],
    ['of a row that lacks its PAC', ['reference', 'pac'], ['ORD123456', '']],
    ['of a row with a SIM in the place of its PAC', ['Order', 'pac'], ['ORD123456', '8944001011001903000']],
    ['of the network of the PACs', ['Order', 'pac'], ['VOD123456', pac]],
    [
      'of other letters than its neighbours',
      ['reference', 'pac'],
      ['EEM123456', pac],
      ['ORD111111', pac],
      ['ORD111112', pac],
    ],
    ['of half of the rows', ['Order', 'pac'], ['ORD123456', pac], ['depot', pac]],
    ['of letters that many PACs have', ['Order', 'pac'], ['ORD123456', pac], ['ORD123457', 'ORD123458']],
    [
      'equal to the PAC of its row',
      ['Order', 'pac'],
      ['ORD123456', 'ord 123 456'],
      ...[1, 2, 3, 4, 5].map((index) => [`ORD12345${index}`, pac]),
    ],
  ])('a value %s is masked', (_, columns, ...rows) => expect(first(columns, ...rows)).toBe('***56'));

  test('a reference in a text stays, and a code is masked', () => {
    expect(first(['Notes', 'reference'], ['see ORD123456, not VOD123456', 'ORD123456'])).toBe(
      'see ORD123456, not [redacted]',
    );
  });
});

test('a code of a country without a typical form is masked in every column of its row', () => {
  expect(shown({ 2: 'NL7K9Q', 4: 'the code nl7-k9q' })).toEqual({ 2: '***9Q', 4: 'the code [redacted]' });
  expect(shown({ 2: 'none', 4: 'none so far' })).toEqual({ 2: '***', 4: 'none so far' });
});

test.each(['3 Business SIM', 'take 3 BUSINESS SIM', 'Basic 10GB'])('the name %s is no code', (name) => {
  expect(shown({ 4: name })).toEqual({ 4: name });
});

test('the first row of a file without a header is masked', () => {
  expect(maskHeader(['07700900123', 'ABC123456', 'Order'])).toEqual(['07700900123', '[redacted]', 'Order']);
});
