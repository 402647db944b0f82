// The known countries, tested with the parser: from a British account and from an account in the country.
import { describe, expect, test } from 'vitest';
import { parseMsisdn } from '#shared/domain/numbers/msisdn.ts';

describe.each([
  ['1', '2025550123', ['12025550123']],
  ['31', '0612345678', ['31612345678', '3197012345678']],
  ['32', '0470123456', ['32470123456']],
  ['33', '0612345678', ['33612345678', '337001234567890']],
  ['34', '612345678', ['34612345678']],
  ['39', '3123456789', ['393123456789', '39312345678']],
  ['44', '07700900123', ['447700900123']],
  ['49', '015123456789', ['4915123456789', '491512345678']],
  ['353', '0851234567', ['353851234567']],
])('calling code %s', (callingCode, example, numbers) => {
  test.each(numbers)('%s is one of its numbers, whatever the country of the account', (digits) => {
    expect(parseMsisdn(digits, { callingCode: '44' })).toEqual({ ok: true, value: digits });
    expect(parseMsisdn(digits, { callingCode })).toEqual({ ok: true, value: digits });
  });

  test('the example in an error is a number as written in the country', () => {
    expect(parseMsisdn('12', { callingCode }).finding?.message).toContain(`Use the format ${example}, or +`);
    const parsed = parseMsisdn(example, { callingCode });
    expect(parsed).toEqual({ ok: true, value: expect.any(String) });
    expect(numbers).toContain(parsed.ok ? parsed.value : '');
  });
});
