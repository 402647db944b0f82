import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMsisdn, type Msisdn, msisdnKey, parseMsisdn } from '#shared/row/msisdn.ts';
import { anyText } from '../../support/any-text.ts';

const british = { callingCode: '44' };
const french = { callingCode: '33' };
const msisdn = (text: string) => text as Msisdn;

test.each(['0', '00', '4', '44', '+', '7', ''])('%j is no number, whatever was read before', (text) => {
  expect(parseMsisdn('447700900123', british).ok).toBe(true);
  expect(parseMsisdn(text, british)).toMatchObject({ ok: false });
});

test('numbers of other countries are read even where the country of the account is not supported', () => {
  for (const callingCode of ['4', '']) {
    expect(parseMsisdn('+447700900123', { callingCode })).toEqual({ ok: true, value: '447700900123' });
  }
});

test('the lengths of a country are named from the shortest', () => {
  expect(parseMsisdn('+37251234', british).finding).toMatchObject({
    message: '"+37251234" has 5 digits after +372. Use 7 or 8 digits',
  });
});

test('a 0 in front of a number is wrong where the country has none', () => {
  expect(parseMsisdn('0612345678', { callingCode: '34' }).finding).toMatchObject({
    code: 'MSISDN_SHAPE',
    message: '"0612345678" starts with 0, but numbers with the calling code 34 do not',
  });
});

test.each(['call 07700 900123', '07700 900123 x'])('the key of %j is the text itself', (text) => {
  expect(msisdnKey(text, '44')).toBe(text);
});

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
    '+44 7700-900 (123)',
    '00447700/900123',
    '(+44) 7700 900123',
    '07700(9)00123',
    '07700 9(00)123',
    '0770 0)900123',
    '- (+44 7700 900123',
    ' - +44 7700/900123',
    '07700\u2212900\u2014123',
    '\u202A+44 7700 900123\u202C',
    '\u2066+44 (0)7700 900123\u2069',
    "\u200E'07700\u200B900\u00AD123\uFEFF",
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
      const message = 'Read +4407700900123 as +447700900123: the 0 after the calling code was removed';
      expect(parseMsisdn(text, british)).toMatchObject({
        value: '447700900123',
        finding: { code: 'MSISDN_TRUNK_ZERO_DROPPED', severity: 'notice', message },
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
    expect(parseMsisdn('0035361234567', { callingCode: '39' })).toMatchObject({ ok: false });
    expect(parseMsisdn('003546111234', british)).toEqual({ ok: true, value: '3546111234' });
  });

  test('a zero too many is removed in a number of any country that has one', () => {
    expect(parseMsisdn('+330612345678', british)).toMatchObject({
      value: '33612345678',
      finding: { code: 'MSISDN_TRUNK_ZERO_DROPPED' },
    });
    expect(parseMsisdn('+340612345678', { callingCode: '34' })).toMatchObject({ ok: false });
  });

  test('a foreign number of ten digits without + is not taken for a national one', () => {
    expect(parseMsisdn('4520123456', british)).toEqual({ ok: true, value: '4520123456' });
    expect(parseMsisdn('+4520123456', british)).toEqual({ ok: true, value: '4520123456' });
  });
});

describe('a number that is not a mobile number of a supported country', () => {
  test.each(['+7700900123', '007700900123'])('%s has no calling code of a supported country', (text) => {
    const message = `"${text}" has the calling code of no supported country. Did you mean +447700900123?`;
    expect(parseMsisdn(text, british)).toEqual({
      ok: false,
      finding: { code: 'MSISDN_COUNTRY_NOT_SUPPORTED', severity: 'error', message },
    });
  });

  test.each(['+64211234567', '0064211234567', '+999123456789'])('%s is in no supported country', (text) => {
    const message = `"${text}" has the calling code of no supported country`;
    expect(parseMsisdn(text, british)).toMatchObject({ finding: { code: 'MSISDN_COUNTRY_NOT_SUPPORTED', message } });
  });

  test.each([
    ['a landline', '02079460000'],
    ['a landline with its calling code', '+442079460000'],
    ['a landline without its zero', '2079460000'],
    ['a landline in digits', '442079460000'],
    ['a free number', '08001234567'],
    ['a personal number', '07012345678'],
    ['a pager', '07632345678'],
  ])('%s', (_what, text) => {
    const message = `"${text}" is not a mobile number. Mobile numbers with +44 look like 07700900123`;
    expect(parseMsisdn(text, british)).toEqual({
      ok: false,
      finding: { code: 'MSISDN_NOT_MOBILE', severity: 'error', message },
    });
  });

  test.each([
    ['+33690123456', '33690123456'],
    ['0033 7 00 12 34 56', '33700123456'],
    ['+46710123456', '46710123456'],
  ])('but %s, of a range that no kind of number has, is valid with a warning', (text, value) => {
    expect(parseMsisdn(text, british)).toMatchObject({
      ok: true,
      value,
      finding: { code: 'MSISDN_RANGE_UNKNOWN', severity: 'warning', message: expect.stringContaining(`+${value} is`) },
    });
  });

  test('the digits of an unknown range are not a number of another country', () => {
    expect(parseMsisdn('33690123456', british)).toMatchObject({ ok: false });
    expect(parseMsisdn('0690123456', { callingCode: '33' })).toMatchObject({ ok: true, value: '33690123456' });
  });

  test('the French numbers for fiction are valid', () => {
    expect(parseMsisdn('+33639980090', british)).toEqual({ ok: true, value: '33639980090' });
  });

  test('a foreign landline', () => {
    expect(parseMsisdn('+33142685300', british)).toMatchObject({
      finding: { code: 'MSISDN_NOT_MOBILE', message: expect.stringContaining('with +33 look like 0612345678') },
    });
  });

  test.each(['0211234567', '211234567'])('%s, in an account of a country that is not supported', (text) => {
    const message = `"${text}" has the calling code of no supported country`;
    expect(parseMsisdn(text, { callingCode: '64' })).toMatchObject({
      finding: { code: 'MSISDN_COUNTRY_NOT_SUPPORTED', message },
    });
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
    ['+1234567890123456', '15 digits after +1. Use 10 digits'],
    ['+3361234', '5 digits after +33. Use 9 or 13 digits'],
    ['+43664', '3 digits after +43. Use 7, 8, 9, 10, 11, 12 or 13 digits'],
    ['1', '1 digit. Use'],
    [`0664${'1'.repeat(35)}`, '38 digits after +44'],
    [`07700${'1'.repeat(38)}`, '42 digits after +44'],
    ['+354611', '3 digits after +354. Use 7 or 9 digits'],
    ['+0447700900123', 'no calling code'],
    ['12345', '5 digits. Use the format 07700900123'],
    ['07700 9OO123', 'Character 8 is "O"'],
    ['07700+900123', 'Character 6 is "+"'],
    ['\u202E07700900123', 'U+202E (right-to-left override)'],
    ['\u200E07700 9OO123', 'Character 8 is "O"'],
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
      fc.property(fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...'0123456789+()-. ') })), (text) => {
        const parsed = parseMsisdn(text, british);
        if (parsed.ok) expect(parsed.value).toMatch(/^[1-9]\d{7,14}$/);
      }),
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
    expect(formatMsisdn(msisdn('33612345678'), 'national', '33')).toBe('0612345678');
    expect(formatMsisdn(msisdn('34612345678'), 'national', '34')).toBe('612345678');
  });

  test('a foreign number that would read as a national one is written with +', () => {
    expect(formatMsisdn(msisdn('3546111234'), 'national', '39')).toBe('+3546111234');
    expect(formatMsisdn(msisdn('3546111234'), 'e164', '39')).toBe('+3546111234');
    expect(formatMsisdn(msisdn('3546111234'), 'national', '44')).toBe('3546111234');
  });
});

describe('a number as the service shows it', () => {
  test.each([
    ['07700900123', '447700900123'],
    ['+44 7700 900123', '447700900123'],
    ['02079460000', '442079460000'],
    ['+442079460000', '442079460000'],
    ['00442079460000', '442079460000'],
    [' +44 (0)20 7946 0000', '442079460000'],
    ['7700900123', '447700900123'],
    ['7700900', '7700900'],
    ['not known', 'not known'],
  ])('%s is compared as %s, also if it is no number that can be ported', (written, key) => {
    expect(msisdnKey(written, '44')).toBe(key);
  });
});
