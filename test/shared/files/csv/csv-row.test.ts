import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvHeader, csvRow, guardFormula, unguardFormula } from '#shared/files/csv/csv-row.ts';

describe('writing a row', () => {
  test('ends it with CRLF and quotes only what needs quotes', () => {
    expect(csvRow(['a', 'b,c', 'say "hi"', 'x\ny', ''])).toBe('a,"b,c","say ""hi""","x\ny",\r\n');
  });

  test('quotes the separators of other countries', () => {
    expect(csvRow(['101;102', 'a\tb'])).toBe('"101;102","a\tb"\r\n');
  });

  test('separates with the separator of the upload', () => {
    expect(csvRow(['a,b', 'c', '1;2'], ';')).toBe('"a,b";c;"1;2"\r\n');
    expect(csvHeader(['a', 'b'], '\t')).toBe('\uFEFFa\tb\r\n');
  });

  test('a single empty cell is not a blank line', () => {
    expect(csvRow([''])).toBe('""\r\n');
  });
});

describe('formulas', () => {
  test.each(['=1+1', '+cmd|x', '-2+3+cmd', '@SUM(A1)', '\t1', '\r1', '\n1', '＝1+1', '＠x', "'=1+1"])(
    '%j is guarded',
    (cell) => {
      expect(guardFormula(cell)).toBe(`'${cell}`);
      expect(unguardFormula(guardFormula(cell))).toBe(cell);
    },
  );

  test.each([
    [';=cmd', ";'=cmd"],
    ['a;=1+1', "a;'=1+1"],
    ['a;  @x|=y', "a;  '@x|'=y"],
    ['a\tb\n=1', "a\tb\n'=1"],
    ['\t=1', "'\t'=1"],
    ["a;'=1", "a;''=1"],
    ['101;-5;+44 7700 900123', '101;-5;+44 7700 900123'],
    ['a,=1+1', "a,'=1+1"],
    ['-1,5', '-1,5'],
    ['=1;=2', "'=1;'=2"],
  ])('%j is guarded after every separator that a reader may use: %j', (cell, written) => {
    expect(guardFormula(cell)).toBe(written);
    expect(unguardFormula(written)).toBe(cell);
  });

  test('any cell is read back as it was written, and no reader finds a formula in it', () => {
    const characters = fc.constantFrom('=', '+', '-', '@', "'", ';', '|', '\t', '\n', ' ', ',', '"', 'a', '1');
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 12 }), (cell) => {
        expect(unguardFormula(guardFormula(cell))).toBe(cell);
        const formulas = csvRow(['x', cell])
          .split(/[,;|\t\r\n]/)
          .map((part) => part.trimStart().replace(/^"/, ''))
          .filter((part) => /^[=@]|^[+-](?![\d ]*(?:[.,]\d+)?"?$)/.test(part));
        expect(formulas).toEqual([]);
      }),
    );
  });

  test.each([
    '+447700900123',
    '+44 7700 900123',
    '-5',
    '-12.50',
    '07700900123',
    '8944110065123456789',
    'plain',
    "it's",
    '',
  ])('%j stays unchanged', (cell) => {
    expect(guardFormula(cell)).toBe(cell);
    expect(unguardFormula(cell)).toBe(cell);
  });

  test('the apostrophe that a person typed before a number is removed', () => {
    expect(unguardFormula("'+447700900123")).toBe('+447700900123');
  });
});
