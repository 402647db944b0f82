// Cells that the reader of a column takes, compared with its parser: each is accepted unchanged, without a finding.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CanonicalColumn, canonicalColumn, maxValueBytes } from '#functions/ingest/plan/row-template.ts';
import { column } from '#shared/operations/operation.ts';
import { parseCalendarDate } from '#shared/row/calendar-date.ts';
import { type Parsed, usual } from '#shared/row/cell.ts';
import { parseIccid } from '#shared/row/iccid.ts';
import { mobileRanges } from '#shared/row/mobile-ranges.ts';
import { type Msisdn, type MsisdnContext, parseMsisdn } from '#shared/row/msisdn.ts';
import { parsePac } from '#shared/row/pac.ts';

type FormatName = NonNullable<Parameters<typeof canonicalColumn>[0]['canonicalFormat']>;
const canonicalFormat = (name: FormatName, context: MsisdnContext) =>
  canonicalColumn(column(name, { canonicalFormat: name, help: '', example: '' }), 0, context);

const callingCodes = ['44', '33', '31', '32', '49', '353'];
const digits = (shortest: number, longest: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: shortest, maxLength: longest });
const anything = fc.string({ unit: 'binary', maxLength: 21 });

/** The value of the cell, which has other bytes around it; undefined when it does not match. */
function valueIn(form: CanonicalColumn | undefined, cell: string): string | undefined {
  const bytes = Buffer.from(`7"${cell}"7`);
  const values = Buffer.alloc(1 + maxValueBytes + 1, '9');
  const to = { bytes: values, at: 1, length: 0 };
  if (form?.read(bytes, 2, bytes.length - 2, to) !== usual) return undefined;
  expect([values[0], values.at(-1)]).toEqual([0x39, 0x39]);
  const value = values.toString('latin1', 1, 1 + to.length);
  return value.startsWith(form.prefix ?? '') ? value.slice(form.prefix?.length ?? 0) : undefined;
}

/** Compares format and parser: a cell that matches is accepted as its prefix and value, without a finding. */
function holds(form: CanonicalColumn | undefined, cell: string, parse: (text: string) => Parsed<string>): boolean {
  const value = valueIn(form, cell);
  if (value === undefined) return false;
  expect(parse(cell)).toEqual({ ok: true, value: `${form?.prefix ?? ''}${value}` });
  return true;
}

describe('cells in usual notation match', () => {
  const british = { callingCode: '44' };

  test.each([
    ['msisdn', '07700900123', '7700900123'],
    ['msisdn', '447700900123', '7700900123'],
    ['msisdn', '+447700900123', '7700900123'],
    ['msisdn', '+44 7700-900 (123)', '7700900123'],
    ['msisdn', '00447700/900123', '7700900123'],
    ['msisdn', '(07700) 900123', '7700900123'],
    ['msisdn', '(+44) 7700 900123', '7700900123'],
    ['msisdn', '07700(9)00123', '7700900123'],
    ['msisdn', '07700 9(00)123', '7700900123'],
    ['msisdn', '0770 0)900123', '7700900123'],
    ['date', '2026-07-01', '2026-07-01'],
    ['date', '2026-01-28', '2026-01-28'],
    ['date', '2026-12-28', '2026-12-28'],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '2026-12-31', '2026-12-31'],
    ['msisdn', ' 07700900123', '7700900123'],
    ['msisdn', '- (+44 7700 900123', '7700900123'],
    ['iccid', '8944 1100-68123456787', '8944110068123456787'],
    ['iccid', '8944110068123456787', '8944110068123456787'],
    ['iccid', '89441100681234567895', '89441100681234567895'],
    ['pac', 'ABC123456', 'ABC123456'],
  ] as const)('%s %s', (name, cell, value) => {
    expect(valueIn(canonicalFormat(name, british), cell)).toBe(value);
  });

  test('and so do the samples, whose values have nothing in common', () => {
    for (const name of ['msisdn', 'iccid', 'pac', 'date'] as const) {
      const form = canonicalFormat(name, british);
      const values = form?.samples.map((sample) => valueIn(form, sample)) ?? [];
      expect(values).not.toContain(undefined);
      expect(new Set(values).size).toBe(2);
    }
  });
});

test('the samples of every country match, and are its shortest numbers', () => {
  const finnish = canonicalFormat('msisdn', { callingCode: '358' });
  expect(finnish?.samples).toEqual(['+358400263', '+358509862']);
  for (const callingCode of Object.keys(mobileRanges)) {
    const form = canonicalFormat('msisdn', { callingCode });
    const values = form?.samples.map((sample) => valueIn(form, sample)) ?? [];
    expect(values.map((value) => `+${callingCode}${value}`)).toEqual(form?.samples);
    expect(new Set(values).size).toBe(2);
  }
});

test('only days are in the order of their bytes', () => {
  const names = ['msisdn', 'iccid', 'pac', 'date'] as const;
  expect(names.filter((name) => canonicalFormat(name, { callingCode: '44' })?.isOrdered)).toEqual(['date']);
});

describe('a cell that only the parser can decide does not match', () => {
  test.each([
    ['msisdn', 'a calling code after + and 00', '+00447700900123'],
    ['msisdn', 'a 0 after +', '+07700900123'],
    ['msisdn', 'a letter before the digits', 'x07700900123'],
    ['msisdn', 'a letter between the digits', '07700x900123'],
    ['msisdn', 'a 0 in brackets that a calling code has', '077(0)0900123'],
    ['msisdn', 'too many digits', '0770090012311111111111111'],
    ['date', 'an eleventh character', '2026-07-011'],
    ['date', 'another character for the first hyphen', '2026/07-01'],
    ['date', 'another character for the second hyphen', '2026-07/01'],
    ['date', 'a letter in the year', '20x6-07-01'],
    ['date', 'a day that its month does not have', '2026-02-29'],
    ['date', 'the 32nd of a month', '2026-01-32'],
    ['date', 'month 13', '2026-13-01'],
    ['date', 'month 0', '2026-00-01'],
    ['date', 'day 0', '2026-01-00'],
    ['msisdn', 'a number of another country', '+33612345678'],
    ['msisdn', 'a number whose 0 was lost', '7700900123'],
    ['msisdn', 'no digits', ' +'],
    ['iccid', 'a wrong check digit', '8944110068123456780'],
    ['iccid', 'five zeros at the end of 20 digits', '89441100681234500000'],
    ['date', 'a character just above the digits in the month', '2026-0:-01'],
    ['date', 'a character just above the digits in the day', '2026-07-0:'],
    ['date', 'a character just below the digits', '2026-07-1/'],
    ['msisdn', 'a character just below the digits', '07700/00123'],
    ['msisdn', 'a character just above the digits', '07700:00123'],
    ['iccid', 'a first digit of no SIM', '9944110068123456786'],
    ['iccid', 'a second digit of no SIM', '8844110068123456789'],
    ['iccid', 'zeros at the end that may be a spreadsheet’s', '8944110068123490000'],
  ] as const)('%s: %s', (name, _what, cell) => {
    expect(valueIn(canonicalFormat(name, { callingCode: '44' }), cell)).toBeUndefined();
  });
});

test('a number without a calling code and a 0 does not match, whatever is in front of its place', () => {
  expect(valueIn(canonicalFormat('msisdn', { callingCode: '385' }), '12345678')).toBeUndefined();
});

test('numbers have no canonical cells in a country that is not supported', () => {
  expect(canonicalFormat('msisdn', { callingCode: '7' })).toBeUndefined();
});

describe('a parser accepts every canonical cell unchanged', () => {
  test('numbers, in the country of any account', () => {
    const cell = fc
      .tuple(fc.constantFrom('0', '44', '+44', '00', '33', '+33', '+', '353', '31', '49', '1', "'0", ''), digits(5, 13))
      .map(([before, rest]) => before + rest);
    fc.assert(
      fc.property(
        fc.oneof(cell, anything),
        fc.constantFrom(...callingCodes, '1', '34', '39', '7', ''),
        (text, code) => {
          holds(canonicalFormat('msisdn', { callingCode: code }), text, (written) =>
            parseMsisdn(written, { callingCode: code }),
          );
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('numbers with separators', () => {
    const unit = fc.constantFrom(...'0044777', ..." -/().+'\u00A0", '(0)', '+44', '0044');
    const cell = fc.array(unit, { minLength: 1, maxLength: 22 }).map((parts) => parts.join(''));
    const usual = fc
      .tuple(fc.constantFrom('0', '44', '+44', '0044', '+44(0)'), digits(9, 9), fc.array(fc.nat(12), { maxLength: 3 }))
      .chain(([before, rest, places]) => {
        const put = (text: string, place: number) => `${text.slice(0, place)} ${text.slice(place)}`;
        return fc.constant(places.reduce(put, `${before}7${rest}`));
      });
    const form = canonicalFormat('msisdn', { callingCode: '44' });
    let matched = 0;
    fc.assert(
      fc.property(fc.oneof(cell, usual), (text) => {
        if (holds(form, text, (written) => parseMsisdn(written, { callingCode: '44' }))) matched += 1;
      }),
      { numRuns: 5000 },
    );
    expect(matched).toBeGreaterThan(100);
  });

  test('days', () => {
    const part = fc.integer({ min: 0, max: 40 }).map((number) => String(number).padStart(2, '0'));
    const day = fc
      .tuple(fc.constantFrom('2026', '0000', '0026', '9999', '226'), part, part)
      .map((parts) => parts.join('-'));
    const form = canonicalFormat('date', { callingCode: '44' });
    fc.assert(
      fc.property(fc.oneof(day, anything), (text) => void holds(form, text, parseCalendarDate)),
      { numRuns: 5000 },
    );
  });

  test('SIM serials', () => {
    const serial = fc.oneof(
      digits(16, 19).map((rest) => `89${rest}`),
      digits(13, 14).map((rest) => `89${rest}0000`),
    );
    const form = canonicalFormat('iccid', { callingCode: '44' });
    fc.assert(
      fc.property(fc.oneof(serial, anything), (text) => void holds(form, text, parseIccid)),
      { numRuns: 8000 },
    );
  });

  test('PACs, for every number of a country that uses PACs', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'AZ@[az'), minLength: 2, maxLength: 4 });
    const code = fc.tuple(letters, digits(5, 7)).map((parts) => parts.join(''));
    const form = canonicalFormat('pac', { callingCode: '44' });
    fc.assert(
      fc.property(fc.oneof(code, anything), fc.constantFrom('447700900123', '4915123456789'), (text, number) => {
        holds(form, text, (written) => parsePac(written, number as Msisdn));
      }),
      { numRuns: 3000 },
    );
  });
});
