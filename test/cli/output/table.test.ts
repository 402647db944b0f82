import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPairs, formatTable, type TableColumn } from '#cli/output/table.ts';
import { ansiPaint } from '#cli/output/terminal.ts';
import { displayWidth } from '#cli/output/text.ts';

const columns: TableColumn[] = [{ header: 'name' }, { header: 'rows', align: 'right' }];
const reasons: TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'status' },
  { header: 'reason', wraps: true },
];
const wordsOf = (lines: readonly string[]) => lines.join(' ').split(/\s+/).filter(Boolean);

describe('formatTable', () => {
  it('makes columns as wide as their cells', () => {
    expect(
      formatTable(columns, [
        ['a', '1'],
        ['longer', '1,000'],
      ]),
    ).toEqual(['name     rows', 'a           1', 'longer  1,000']);
  });

  it('aligns by display width, not by the number of characters', () => {
    const lines = formatTable(columns, [
      ['電話', '1'],
      ['abcd', '22'],
    ]);
    expect(lines.map(displayWidth)).toEqual([10, 10, 10]);
  });

  it('wraps long text at spaces within its column', () => {
    expect(formatTable(reasons, [['12', '', 'the PAC is not valid for this number']], { width: 38 })).toEqual([
      'line  status  reason',
      '  12          the PAC is not valid for',
      '              this number',
    ]);
  });

  it('omits secondary columns when the others do not fit', () => {
    const ids: TableColumn[] = [{ header: 'id' }, { header: 'name', secondary: true }];
    expect(formatTable(ids, [['0123456789abcdef', 'a long name']], { width: 24 })).toEqual(['id', '0123456789abcdef']);
  });

  it('breaks a long name where the row would be wider than the terminal', () => {
    const files: TableColumn[] = [{ header: 'import' }, { header: 'file', breaks: true }, { header: 'state' }];
    expect(
      formatTable(files, [['0123456789abcdef', 'a_very_long_name_of_a_file.xlsx', 'planned']], { width: 45 }),
    ).toEqual([
      'import            file                state',
      '0123456789abcdef  a_very_long_name_o  planned',
      '                  f_a_file.xlsx',
    ]);
  });

  it('puts text below its row when no room is left beside it', () => {
    const wide: TableColumn[] = [{ header: 'id' }, { header: 'reason', wraps: true }];
    expect(formatTable(wide, [['0123456789abcdef', 'the PAC is not valid']], { width: 24 })).toEqual([
      'id',
      '0123456789abcdef',
      '    the PAC is not valid',
    ]);
  });

  it('puts text below its row when its longest word is wider than the room beside it', () => {
    const hash = 'a'.repeat(30);
    expect(formatTable(reasons, [['12', 'approved', `the plan ${hash}, by order`]], { width: 44 })).toEqual([
      'line  status',
      '  12  approved',
      `    the plan ${hash},`,
      '    by order',
    ]);
  });

  it('keeps every word of every cell, whatever the width', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-', '電'), maxLength: 60 });
    const whole: TableColumn[] = [{ header: 'id' }, { header: 'one', wraps: true }, { header: 'two', wraps: true }];
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell)), fc.integer({ min: 30, max: 200 }), (rows, width) => {
        const shown = wordsOf(formatTable(whole, rows, { width }).slice(1));
        const words = rows.flat().flatMap((text) => wordsOf([text]));
        expect(shown.join('').split('').toSorted()).toEqual(words.join('').split('').toSorted());
      }),
    );
  });

  it('fits the width as long as its words do', () => {
    const text = 'a PAC has 3 letters and 6 digits, for example ABC123456: ask the owner of the number for a new one';
    const lines = formatTable(reasons, [['1,000', 'Pac Check Failed', text]], { width: 80 });
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
  });

  it('removes escape sequences from cells', () => {
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
  it('aligns the values and omits pairs without a value', () => {
    expect(
      formatPairs([
        ['import', 'abc'],
        ['ports', undefined],
        ['file', 'x.csv'],
      ]),
    ).toEqual(['import  abc', 'file    x.csv']);
  });

  it('wraps a long value below its beginning', () => {
    expect(formatPairs([['why', 'the service is not available']], { width: 22 })).toEqual([
      'why  the service is',
      '     not available',
    ]);
  });
});
