import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMsisdn, type Msisdn, parseMsisdn } from '#shared/domain/numbers/msisdn.ts';

const british = { callingCode: '44' };
const french = { callingCode: '33' };
const msisdn = (text: string) => text as Msisdn;

describe('one number, written in different ways', () => {
  test.each([
    '07700900123',
    '07700 900123',
    '07700-900-123',
    '07700.900.123',
    '(07700) 900123',
    '07700\u00A0900123',
    '07700\u2013900123',
    '+447700900123',
    '+44 7700 900123',
    '+44 (0)7700 900123',
    '+44(0)7700900123',
    '44 (0) 7700 900123',
    '00447700900123',
    '0044 (0)7700 900123',
    '447700900123',
    "'447700900123",
    "'+447700900123",
    " '07700900123",
    ' 07700900123\t',
  ])('%j', (text) => {
    expect(parseMsisdn(text, british)).toEqual({ ok: true, value: '447700900123' });
  });

  test('a zero that a spreadsheet removed is restored, with a notice', () => {
    expect(parseMsisdn('7700900123', british)).toMatchObject({
      value: '447700900123',
      finding: { code: 'MSISDN_LEADING_ZERO_RESTORED', severity: 'notice' },
    });
    expect(parseMsisdn('612345678', french)).toMatchObject({
      value: '33612345678',
      finding: { code: 'MSISDN_LEADING_ZERO_RESTORED' },
    });
  });

  test.each(['+4407700900123', '4407700900123', '004407700900123'])(
    'a zero too many in %j is removed, with a notice',
    (text) => {
      expect(parseMsisdn(text, british)).toMatchObject({
        value: '447700900123',
        finding: { code: 'MSISDN_TRUNK_ZERO_DROPPED', severity: 'notice' },
      });
    },
  );

  test('a number of another country keeps its calling code', () => {
    expect(parseMsisdn('+33 6 12 34 56 78', british)).toEqual({ ok: true, value: '33612345678' });
    expect(parseMsisdn('33612345678', british)).toEqual({ ok: true, value: '33612345678' });
    expect(parseMsisdn('+393123456789', british)).toEqual({ ok: true, value: '393123456789' });
  });

  test('long French M2M numbers are valid', () => {
    expect(parseMsisdn('07001234567890', french)).toEqual({ ok: true, value: '337001234567890' });
  });

  test('digits with the account’s calling code are international, even if they are as long as a national number', () => {
    expect(parseMsisdn('31612345678', { callingCode: '31' })).toEqual({ ok: true, value: '31612345678' });
  });

  test('a Spanish number has no leading zero that could be lost', () => {
    expect(parseMsisdn('612345678', { callingCode: '34' })).toEqual({ ok: true, value: '34612345678' });
    expect(parseMsisdn('0612345678', { callingCode: '34' })).toMatchObject({ ok: false });
  });

  test('two zeros are an international prefix, even if the text is as long as a national number', () => {
    expect(parseMsisdn('00641234567', british)).toEqual({ ok: true, value: '641234567' });
  });

  test('a zero after the calling code is kept where numbers may start with one', () => {
    expect(parseMsisdn('+640211234567', { callingCode: '64' })).toEqual({ ok: true, value: '640211234567' });
    expect(parseMsisdn('+340612345678', { callingCode: '34' })).toEqual({ ok: true, value: '340612345678' });
    expect(parseMsisdn('3406123456789', { callingCode: '34' })).toMatchObject({ ok: false });
  });

  test('the shortest and the longest number of E.164 are valid', () => {
    expect(parseMsisdn('+64123456', british)).toEqual({ ok: true, value: '64123456' });
    expect(parseMsisdn('+641234567890123', british)).toEqual({ ok: true, value: '641234567890123' });
  });

  test('the limits of E.164 apply where the numbering plan is unknown', () => {
    expect(parseMsisdn('0211234567', { callingCode: '64' })).toEqual({ ok: true, value: '64211234567' });
    expect(parseMsisdn('64211234567', { callingCode: '64' })).toEqual({ ok: true, value: '64211234567' });
    expect(parseMsisdn('1234567', { callingCode: '64' })).toMatchObject({ ok: false });
  });
});

describe('an invalid number', () => {
  test.each(['4.47E+11', '-4.47E+11', '+4.47E+11', '4,47E+11', '4.4770090012e+11', '447e9'])(
    '%j has the error about Excel',
    (text) => {
      const parsed = parseMsisdn(text, british);
      expect(parsed).toMatchObject({ ok: false, finding: { code: 'MSISDN_EXCEL_SCIENTIFIC', severity: 'error' } });
      expect(parsed.finding?.message).toContain('Format the column as Text');
    },
  );

  test.each([
    ['', 'no digits'],
    ['-', 'no digits'],
    ['+', 'no digits'],
    ['x0770090012', 'Character 1 is "x"'],
    ['0770090012x', 'Character 11 is "x"'],
    ['07700 90012', '9 digits after +44'],
    ['077009001', '8 digits after +44'],
    ['x4.47E+11', 'Character 1 is "x"'],
    ['4.47E+11x', 'Character 5 is "E"'],
    ['447700900123.0', 'saved as a decimal number'],
    ['447700900123.00', 'saved as a decimal number'],
    ['x447700900123.0', 'Character 1 is "x"'],
    ['447700900123.0x', 'Character 15 is "x"'],
    ['07700(0)900123', '11 digits after +44'],
    ["07700'900123", 'Character 6 is'],
    ['+44770090O123', 'Character 10 is "O"'],
    ['123456789012', '12 digits. Use the format 07700900123'],
    ['+336123456789', '10 digits after +33'],
    ['077009001234', '11 digits after +44'],
    ['0770090012', '9 digits after +44'],
    ['+4477009001234', '11 digits after +44'],
    ['+1234567890123456', '16 digits'],
    ['+0447700900123', 'no calling code'],
    ['12345', '5 digits. Use the format 07700900123'],
    ['07700 9OO123', 'Character 8 is "O"'],
    ['07700+900123', 'Character 6 is "+"'],
    ['07700\u200B900123', 'U+200B (zero-width space)'],
    ['\u202A07700900123', 'U+202A (left-to-right embedding)'],
    ['０７７００９００１２３', 'full-width digit 0'],
    ['٠٧٧٠٠٩٠٠١٢٣', 'Arabic-Indic digit 0'],
    ['07700900123;07700900124', 'Character 12 is ";"'],
  ])('%j: %s', (text, reason) => {
    const parsed = parseMsisdn(text, british);
    expect(parsed).toMatchObject({ ok: false, finding: { code: 'MSISDN_SHAPE', severity: 'error' } });
    expect(parsed.finding?.message).toContain(reason);
  });

  test('no text makes the parser throw, and every accepted number is E.164', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'0123456789+()-. ') })),
        (text) => {
          const parsed = parseMsisdn(text, british);
          if (parsed.ok) expect(parsed.value).toMatch(/^[1-9]\d{7,14}$/);
        },
      ),
    );
  });
});

describe('writing a number', () => {
  test.each([
    ['national', '07700900123'],
    ['e164', '447700900123'],
    ['e164plus', '+447700900123'],
  ] as const)('%s is %s', (format, expected) => {
    expect(formatMsisdn(msisdn('447700900123'), format, '44')).toBe(expected);
  });

  test('a number of another country has no national form', () => {
    expect(formatMsisdn(msisdn('33612345678'), 'national', '44')).toBe('33612345678');
  });

  test('the national form has the trunk prefix of its country, if there is one', () => {
    expect(formatMsisdn(msisdn('64211234567'), 'national', '64')).toBe('0211234567');
    expect(formatMsisdn(msisdn('34612345678'), 'national', '34')).toBe('612345678');
  });

  test('a written number is read as the same number', () => {
    const number = fc.integer({ min: 7_000_000_000, max: 7_999_999_999 }).map((digits) => msisdn(`44${digits}`));
    fc.assert(
      fc.property(
        number,
        fc.constantFrom('national' as const, 'e164' as const, 'e164plus' as const),
        (value, format) => {
          expect(parseMsisdn(formatMsisdn(value, format, '44'), british)).toEqual({ ok: true, value });
        },
      ),
    );
  });
});
