// Porting codes are removed from texts of the service and from messages about rows, and other words stay.
import { describe, expect, test } from 'vitest';
import { maskCodes, maskQuotedCodes } from '#shared/row/redact.ts';

describe('known codes', () => {
  const codes = ['ABC123456', '03P123456+59'];

  test.each([
    ['PAC ABC123456 is invalid', 'PAC [redacted] is invalid'],
    ['abc-123 456.', '[redacted].'],
    ['A - B C123456', '[redacted]'],
    ['03p123456+59 and ABC123456', '[redacted] and [redacted]'],
    ['XABC123456', 'XABC123456'],
    ['ABC1234567', 'ABC1234567'],
    ['ABC    123456', 'ABC    123456'],
    ['03P123456659', '03P123456659'],
  ])('%j becomes %j', (text, masked) => {
    expect(maskCodes(text, codes)).toBe(masked);
  });

  test('are masked as they are compared: however the row has written them', () => {
    expect(maskCodes('ABC123456', [' abc 123-456'])).toBe('[redacted]');
  });

  test('a longer code is masked as a whole where a shorter one begins it', () => {
    expect(maskCodes('AB12 34, AB12', ['AB12', 'AB1234'])).toBe('[redacted], [redacted]');
  });

  test('a text of fewer than four characters is no code', () => {
    expect(maskCodes('the PAC, of AB12', ['PAC', 'of', ''])).toBe('the PAC, of AB12');
    expect(maskCodes('the PAC of AB12', ['PAC', 'ab12'])).toBe('the PAC of [redacted]');
  });
});

describe('texts in quotation marks in a message', () => {
  test.each([
    ['network', '"ABC123456" is no network', '"[redacted]" is no network'],
    ['network', '"abc 123 456" and "1234"', '"[redacted]" and "[redacted]"'],
    ['network', '"O2!" is no network', '"O2!" is no network'],
    [
      'network',
      '"ABC123" is no network: did you mean "Vodafone"?',
      '"[redacted]" is no network: did you mean "Vodafone"?',
    ],
    ['msisdn', '"+44 7700 900123" is too long', '"+44 7700 900123" is too long'],
    ['msisdn', '"07700 900" is too short', '"07700 900" is too short'],
    ['msisdn', '"ABC123456" is no number', '"[redacted]" is no number'],
    ['msisdn', '"123456ABC" is no number', '"[redacted]" is no number'],
    [null, '"447700900123" is no network', '"[redacted]" is no network'],
    ['date', '"31-12-2026" is no working day', '"31-12-2026" is no working day'],
    ['date', '"1/2/26" and "1.2" and "12345"', '"1/2/26" and "1.2" and "[redacted]"'],
    ['date', '"A31-12-2026"', '"[redacted]"'],
    ['date', '"31-12-2026A"', '"[redacted]"'],
  ])('%s: %s', (column, message, masked) => {
    expect(maskQuotedCodes(message, column)).toBe(masked);
  });
});
