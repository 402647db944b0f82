import { describe, expect, it } from 'vitest';
import { ansiPaint } from '#cli/output/paint.ts';
import { formatPairs, formatTable } from '#cli/output/table.ts';
import { displayWidth } from '#cli/output/text.ts';

const columns = [
  { header: 'name', shrinks: true },
  { header: 'rows', align: 'right' as const },
];

describe('formatTable', () => {
  it('makes columns as wide as what they hold', () => {
    expect(
      formatTable(columns, [
        ['a', '1'],
        ['longer', '1,000'],
      ]),
    ).toEqual(['name     rows', 'a           1', 'longer  1,000']);
  });

  it('aligns by the columns that characters take, not by their number', () => {
    const lines = formatTable(columns, [
      ['電話', '1'],
      ['abcd', '22'],
    ]);
    expect(lines.map(displayWidth)).toEqual([10, 10, 10]);
  });

  it('cuts the widest column that may shrink until the table fits', () => {
    const lines = formatTable(columns, [['a name much longer than the terminal', '12']], { width: 20 });
    expect(lines[1]).toBe('a name much l…    12');
  });

  it('never cuts a column that must stay whole', () => {
    const whole = formatTable([{ header: 'id' }], [['0123456789abcdef']], { width: 8 });
    expect(whole[1]).toBe('0123456789abcdef');
  });

  it('is whole in a pipe', () => {
    const long = 'x'.repeat(500);
    expect(formatTable(columns, [[long, '1']])[1]).toContain(long);
  });

  it('takes escape sequences out of cells', () => {
    expect(formatTable(columns, [['\u001b[2Jgone', '1']]).join('')).not.toContain('\u001b');
  });

  it('colours a cell without moving the columns', () => {
    const painted = formatTable([{ header: 'state', style: () => 'red' }, { header: 'n' }], [['bad', '1']], {
      paint: ansiPaint,
    });
    expect(painted[1]).toContain('\u001b[31mbad  ');
  });
});

describe('formatPairs', () => {
  it('aligns the values and leaves out what is not there', () => {
    expect(
      formatPairs([
        ['import', 'abc'],
        ['ports', undefined],
        ['file', 'x.csv'],
      ]),
    ).toEqual(['import  abc', 'file    x.csv']);
  });
});
