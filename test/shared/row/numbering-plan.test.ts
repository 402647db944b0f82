// The supported countries, tested with the parser and compared with libphonenumber-js.

import { join } from 'node:path';
import fc from 'fast-check';
import parsePhoneNumber from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { mobileRanges } from '#shared/row/mobile-ranges.ts';
import { formatMsisdn, type Msisdn, parseMsisdn } from '#shared/row/msisdn.ts';
import { planOf } from '#shared/row/numbering-plan.ts';
import { mobileRangesSource } from '../../support/files/mobile-ranges.ts';

const callingCodes = Object.keys(mobileRanges);
const mobileTypes = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];
const otherTypes = ['FIXED_LINE', 'TOLL_FREE', 'PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PERSONAL_NUMBER', 'PAGER'];

describe.each(callingCodes)('calling code %s', (callingCode) => {
  test('the example in an error is a number as written in the country', () => {
    const example = planOf(callingCode)?.example ?? '';
    expect(parseMsisdn('12', { callingCode }).finding?.message).toContain(`Use the format ${example}, or +`);
    expect(parseMsisdn(example, { callingCode })).toEqual({ ok: true, value: expect.any(String) });
  });
});

test.each(['3197012345678', '337001234567890', '39321234567', '4915123456789', '491701234567'])(
  '%s is a number, whatever the country of the account',
  (digits) => {
    for (const callingCode of callingCodes) {
      expect(parseMsisdn(`+${digits}`, { callingCode })).toEqual({ ok: true, value: digits });
    }
  },
);

/** Numbers that begin like numbers of a country, most of them mobile. */
const international = fc
  .tuple(
    fc.constantFrom(...callingCodes),
    fc.nat(999),
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 4, maxLength: 8 }),
  )
  .map(([code, prefix, rest]) => `${code}${String(prefix).padStart(3, '0')}${rest}`);

test('every mobile number of the library is valid, and hardly any number of another kind', () => {
  const seen = { mobile: 0, valid: 0, invalid: 0 };
  fc.assert(
    fc.property(international, (digits) => {
      const known = parsePhoneNumber(`+${digits}`);
      // The library removes trunk prefixes that do not belong behind a calling code.
      fc.pre(known?.number === `+${digits}`);
      const type = known?.getType() ?? '';
      const parsed = parseMsisdn(`+${digits}`, { callingCode: '44' });
      if (mobileTypes.includes(type)) {
        seen.mobile += 1;
        expect(parsed).toMatchObject({ ok: true, value: digits });
      } else if (otherTypes.includes(type)) {
        seen[parsed.ok ? 'valid' : 'invalid'] += 1;
      }
    }),
    { numRuns: 4000 },
  );
  expect(seen.mobile).toBeGreaterThan(40);
  expect(seen.invalid).toBeGreaterThan(20);
  expect(seen.valid).toBeLessThan(seen.invalid / 5);
});

test('a written number is read as the same number, in every country and format', () => {
  fc.assert(
    fc.property(
      international.map((digits) => parseMsisdn(`+${digits}`, { callingCode: '44' })).filter(({ ok }) => ok),
      fc.constantFrom(...callingCodes),
      fc.constantFrom('national' as const, 'e164' as const, 'e164plus' as const),
      (parsed, callingCode, format) => {
        const number = (parsed.ok ? parsed.value : '') as Msisdn;
        const written = formatMsisdn(number, format, callingCode);
        expect(parseMsisdn(written, { callingCode })).toMatchObject({ ok: true, value: number });
      },
    ),
    { numRuns: 3000 },
  );
});

// The table of mobile numbers is that of libphonenumber-js.
describe('the mobile ranges', () => {
  const file = join(import.meta.dirname, '../../../shared/row/mobile-ranges.ts');

  test('the table of mobile ranges is the one that the library’s metadata gives', async () => {
    await expect(mobileRangesSource()).toMatchFileSnapshot(file);
  });
});
