import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Msisdn } from '#shared/row/msisdn.ts';
import { canonicalPac, codeFamily, isCertainlyPac, maybePac, parseLonePac, parsePac, rioKey } from '#shared/row/pac.ts';

const british = '447700900123' as Msisdn;
const french = '33612345678' as Msisdn;
const frenchMachine = '337001234567890' as Msisdn;
const spanish = '34612345678' as Msisdn;

describe('the PAC of a British number', () => {
  test.each(['ABC123456', 'abc 123 456', 'ABC-123456', " 'ABC123456".trim(), '\u200EABC\u2060123456\u202C'])(
    '%j is valid',
    (text) => {
      expect(parsePac(text, british)).toEqual({ ok: true, value: 'ABC123456' });
    },
  );

  test('a STAC has its own error, with advice', () => {
    const parsed = parsePac('123456ABC', british);
    expect(parsed).toMatchObject({ ok: false, finding: { code: 'PAC_IS_STAC', severity: 'error' } });
    expect(parsed.finding?.message).toContain('does not port');
  });

  test.each(['', 'ABC12345', 'AB1234567', 'ABC1234567', 'A8C123456', '03P123456559', 'ABC123+56'])(
    '%j is invalid',
    (text) => {
      expect(parsePac(text, british)).toMatchObject({ ok: false, finding: { code: 'PAC_SHAPE' } });
    },
  );

  test('the message shows the pattern of the code', () => {
    expect(parsePac('ABCD12345', british).finding?.message).toContain('9 characters (4 letters, 5 digits)');
  });
});

test.each([
  ['abc 123-456', true, true],
  ['03p 123456 559', true, true],
  ['123456ABC', true, false],
  ['AB12', true, false],
  ['A'.repeat(20), true, false],
  ['A'.repeat(21), false, false],
  ['AB1', false, false],
  [`AB12${' '.repeat(96)}`, true, false],
  [`AB12${' '.repeat(97)}`, false, false],
])('%j may be a code: %s, is certainly one: %s', (text, may, certainly) => {
  expect([maybePac(text), isCertainlyPac(text)]).toEqual([may, certainly]);
});

test.each([
  [british, 'PAC', '3 letters and 6 digits'],
  [french, 'RIO', '12 letters and digits'],
  [spanish, 'porting code', '4 to 20 letters and digits'],
])('the message for the number %s names its kind of code, %s', (number, kind, expected) => {
  const message = `This is not a ${kind}: it has 2 characters (2 letters). A ${kind} has ${expected}`;
  expect(parsePac('AB', number).finding?.message).toBe(message);
});

describe('the message about a code', () => {
  const end = (text: string, number = british) =>
    parsePac(text, number).finding?.message.replace(/^.*: it has |\. A .*$/g, '');

  test.each([
    ['A', '1 character (1 letter)'],
    ['AB1', '3 characters (2 letters, 1 digit)'],
    ['A1B2', '4 characters (1 letter, 1 digit, 1 letter, 1 digit)'],
    ['AB_#12', '6 characters (2 letters, 2 other, 2 digits)'],
    ['A1B2C3', '6 characters'],
    ['', '0 characters'],
    ['ABC123456X', '10 characters (3 letters, 6 digits, 1 letter)'],
    ['X123456ABC', '10 characters (1 letter, 6 digits, 3 letters)'],
    ['123456ABC1', '10 characters (6 digits, 3 letters, 1 digit)'],
  ])('shows only the pattern of %j', (text, ending) => {
    expect(end(text)).toBe(ending);
  });

  test('shows a RIO with one character too many', () => {
    expect(end('X03P123456559', french)).toBe('13 characters (1 letter, 2 digits, 1 letter, 9 digits)');
  });
});

test.each([
  ["'abc123456", 'ABC123456'],
  [' abc123456', 'ABC123456'],
  [" 'abc 123-456 ", 'ABC123456'],
  ["abc'123", "ABC'123"],
])('the cell %j is compared as %s', (text, plain) => {
  expect(canonicalPac(text)).toBe(plain);
});

describe('the RIO of a French number', () => {
  test.each(['03P123456559', '03p 123456 559', '03-P-123456-559'])('%j matches the number', (text) => {
    expect(parsePac(text, french)).toEqual({ ok: true, value: '03P123456559' });
  });

  test('its key is computed over operator, type, reference and number', () => {
    expect(rioKey('03P123456', '0612345678')).toBe('559');
  });

  test('the key of another number is an error', () => {
    expect(parsePac('03P123456559', '33612345679' as Msisdn)).toMatchObject({
      ok: false,
      finding: { code: 'PAC_RIO_KEY' },
    });
  });

  test('the key of a 14-digit M2M number is not checked', () => {
    expect(parsePac('03P123456AAA', frenchMachine)).toMatchObject({ ok: true });
  });

  test.each(['ABC123456', '03P12345655', '033123456559', '03P1234565599'])('%j is invalid', (text) => {
    expect(parsePac(text, french)).toMatchObject({ ok: false, finding: { code: 'PAC_SHAPE' } });
  });

  test('a plus sign in the key is kept', () => {
    const withPlus = fc.sample(fc.stringMatching(/^0[1-3]P[A-Z0-9]{6}$/), { numRuns: 2000, seed: 1 }).find((code) => {
      return rioKey(code, '0612345678').includes('+');
    });
    const rio = `${withPlus}${rioKey(withPlus ?? '', '0612345678')}`;
    expect(parsePac(rio, french)).toEqual({ ok: true, value: rio });
  });

  test('any other symbol in one of the nine places is detected', () => {
    const code = fc.stringMatching(/^0[1-3][PE][A-Z0-9]{6}$/);
    fc.assert(
      fc.property(
        code,
        fc.integer({ min: 3, max: 8 }),
        fc.constantFrom(...'ABCXYZ0123456789'),
        (nine, place, symbol) => {
          fc.pre(nine[place] !== symbol);
          const rio = nine.slice(0, place) + symbol + nine.slice(place + 1) + rioKey(nine, '0612345678');
          expect(parsePac(rio, french).ok).toBe(false);
        },
      ),
    );
  });
});

test('a letter that is not ASCII is not made one', () => {
  for (const text of ['ßC123456', 'ıBC123456', 'ſBC123456', 'ÀBC123456']) {
    expect(parsePac(text, british)).toMatchObject({ ok: false, finding: { code: 'PAC_SHAPE' } });
  }
});

describe('the code of a row whose number is invalid', () => {
  test.each([
    ['44', '03P123456558'],
    ['44', 'abc 123456'],
    ['33', 'ABC123456'],
    ['49', 'AB12'],
  ])('%s: a code that is right for some number is accepted', (callingCode, text) => {
    expect(parseLonePac(text, callingCode)).toMatchObject({ ok: true });
  });

  test.each([
    ['44', '123456ABC', 'PAC_IS_STAC'],
    ['44', 'AB12', 'PAC_SHAPE'],
    ['33', '03P12345', 'PAC_SHAPE'],
    ['49', 'AB', 'PAC_SHAPE'],
  ])('%s: %s is wrong there', (callingCode, text, code) => {
    expect(parseLonePac(text, callingCode)).toMatchObject({ ok: false, finding: { code } });
  });
});

test('in other countries 4 to 20 letters and digits are accepted', () => {
  expect(parsePac('a1-b2', spanish)).toEqual({ ok: true, value: 'A1B2' });
  expect(parsePac('a1', spanish)).toMatchObject({ ok: false });
  expect(parsePac('A'.repeat(21), spanish)).toMatchObject({ ok: false });
});

test('no message shows the code', () => {
  const codes = fc.oneof(fc.stringMatching(/^[A-Z0-9]{5,14}$/), fc.stringMatching(/^\d{6}[A-Z]{3}$/));
  fc.assert(
    fc.property(codes, fc.constantFrom(british, french, spanish), (code, number) => {
      const { finding } = parsePac(code, number);
      // The messages contain examples.
      fc.pre(code !== 'ABC123456' && code !== '03P123456559' && code.length > 5);
      if (finding !== undefined) expect(finding.message).not.toContain(code);
    }),
  );
});

test('a French number that ends in 44 has no British code', () => {
  expect(parsePac('ABC123456', '33612345644' as Msisdn)).toMatchObject({ ok: false });
});

describe('what the codes of a network have in common', () => {
  test.each([
    ['ABC123456', 'ABC'],
    [' abc 123-456', 'ABC'],
    ['123456ABC', 'ABC'],
    ['03P123456+59', '03P'],
    ['A3P123456+59', 'A3P'],
    ['3 Business SIM', undefined],
    ['3 Business S12', '3BU'],
    ['AB3DEFGHI123', undefined],
    ['ABC12345', undefined],
    ['XABC123456', undefined],
    ['', undefined],
    [`ABC123456${' '.repeat(91)}`, 'ABC'],
    [`ABC123456${' '.repeat(92)}`, undefined],
    ['BUSINESS1234', undefined],
    ['3BUSINESSIM2', undefined],
  ])('%j: %j', (text, family) => expect(codeFamily(text)).toBe(family));
});
