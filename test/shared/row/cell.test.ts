import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitsOf, findDamage, findLostZeros, hasForm, numberAt, type Parsed, separatorsOf } from '#shared/row/cell.ts';
import { type Msisdn, parseMsisdn } from '#shared/row/msisdn.ts';
import { parsePac } from '#shared/row/pac.ts';

test.each([
  ['AZ-09', 'AA-99', true],
  ['[Z-09', 'AA-99', false],
  ['@Z-09', 'AA-99', false],
  ['AZ-0:', 'AA-99', false],
  ['AZ-0/', 'AA-99', false],
  ['AZ_09', 'AA-99', false],
  ['AZ-091', 'AA-99', false],
  ['AZ-0', 'AA-99', false],
  ['AŻ-09', 'AA-99', false],
  ['', '', true],
])('%j has the form %j: %j', (text, form, expected) => {
  expect(hasForm(text, form)).toBe(expected);
});

test('digits of a text are a number', () => {
  expect(numberAt('2026-07-09', 5, 2)).toBe(7);
  expect(numberAt('2026-07-09', 0, 4)).toBe(2026);
  expect(numberAt('07', 1, 3)).toBeNaN();
});

test.each([
  ['0 12(34', '01234'],
  [' 1 ', '1'],
  ['', ''],
  ['(', ''],
  ['1-2', undefined],
  ['1/2', undefined],
  ['1:2', undefined],
  ['44(0)77', undefined],
  ['44(0', '440'],
  ['44(07', '4407'],
  ['44(1', '441'],
  ['1é2', undefined],
  ['1\u01202', undefined],
])('the digits of %j are %j', (text, expected) => {
  expect(digitsOf(text, separatorsOf(' ('))).toBe(expected);
});

test('digits are read from a place on', () => {
  const separators = separatorsOf(' ');
  expect(digitsOf('+44 77', separators, 1)).toBe('4477');
  expect(digitsOf('+4477', separators, 1)).toBe('4477');
  expect(digitsOf('44', separators, 2)).toBe('');
});

test('only the characters of 0 in brackets are left to the caller', () => {
  const isRead = (text: string) => digitsOf(text, separatorsOf('()')) !== undefined;
  expect(['(0)', '(1)', '0)', '(0(', ')0)'].map(isRead)).toEqual([false, true, true, true, true]);
});

// A usual cell is read as it is, others after unusual characters were removed. A no-break space means nothing, and
// sends the same cell the other way.
describe('a usual cell', () => {
  const digits = (shortest: number, longest: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: shortest, maxLength: longest });

  const outcome = (parsed: Parsed<string>) => (parsed.ok ? parsed : { ok: false, code: parsed.finding.code });

  test('a national number gives the same result with a space in it, whatever its length and the country of the account', () => {
    const national = digits(4, 15).map((rest) => `0${rest}`);
    const callingCode = fc.constantFrom('44', '33', '1', '31', '34', '39', '49', '353', '4', '420', '');
    fc.assert(
      fc.property(
        fc.oneof(
          national,
          digits(10, 11).map((rest) => `07${rest.slice(2)}`),
        ),
        callingCode,
        (text, code) => {
          const spaced = `${text.slice(0, 3)}\u00A0${text.slice(3)}`;
          const context = { callingCode: code };
          expect(outcome(parseMsisdn(text, context))).toEqual(outcome(parseMsisdn(spaced, context)));
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('a PAC means the same with a space in it, whatever the country of its number', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ABCXYZ'), minLength: 2, maxLength: 4 });
    const code = fc.tuple(letters, digits(5, 7)).map(([before, after]) => before + after);
    const msisdn = fc.constantFrom('447700900123', '33612345678', '12025550123').map((number) => number as Msisdn);
    fc.assert(
      fc.property(code, msisdn, (text, number) => {
        const spaced = `${text.slice(0, 3)}\u00A0${text.slice(3)}`;
        expect(outcome(parsePac(text, number))).toEqual(outcome(parsePac(spaced, number)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a number that a spreadsheet program changed', () => {
  test.each([
    ['4.4779E+11', 'error'],
    ['4477009000000000000', 'warning'],
    ['447700900123', undefined],
    ['Order 12', undefined],
    ['', undefined],
  ])('in %j is a finding: %s', (text, severity) => {
    expect(findDamage(text)?.severity).toBe(severity);
  });

  test('says that nothing is sent before the approval, unless digits are lost for certain', () => {
    expect(findDamage('4.4779E+11')?.message).toMatch(/digits of it are lost\. Format the column as Text/);
    expect(findDamage('4477009000000000000')?.message).toMatch(/nothing is sent until the plan is approved$/);
  });

  test('may have lost zeros where a text of hex has only decimal digits', () => {
    expect(findLostZeros('12')).toMatchObject({ code: 'CELL_NUMBER_DAMAGED', severity: 'warning' });
    expect([findLostZeros('012'), findLostZeros('1A'), findLostZeros('')]).toEqual([undefined, undefined, undefined]);
  });
});
