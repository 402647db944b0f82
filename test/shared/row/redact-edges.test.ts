// Every key and every pattern of a secret by itself, so that no test depends on another pattern (spec gap 44).
import { describe, expect, test } from 'vitest';
import { redact, redactText } from '#shared/row/redact.ts';

test.each([
  'pac',
  'newPac',
  'pacCode',
  'portingCode',
  'rio',
  'stac',
  'token',
  'accessToken',
  'refreshToken',
  'bearerToken',
  'secret',
  'clientSecret',
  'SecretString',
  'password',
  'authorization',
  'cookie',
  'Set-Cookie',
])('the value of %s is a secret', (key) => {
  expect(redact({ [key]: 'plain' })).toEqual({ [key]: '[redacted]' });
});

describe('a text', () => {
  test.each([
    ['Bearer opaque-1 sent', 'Bearer [redacted] sent'],
    ['basic \t dXNlcjpw== sent', 'basic [redacted] sent'],
    ['eyJhbGci.eyJzdWIi sent', '[redacted] sent'],
    ['eyJhbGci.eyJzdWIi.c2lnbmF0dXJl sent', '[redacted] sent'],
    ['accesstoken=plain sent', 'accesstoken=[redacted] sent'],
    ['refreshtoken=plain sent', 'refreshtoken=[redacted] sent'],
    ['refresh_token=plain sent', 'refresh_token=[redacted] sent'],
    ['clientsecret: plain sent', 'clientsecret: [redacted] sent'],
    ['password="two words" sent', 'password=[redacted] sent'],
    ['password="cut sho', 'password=[redacted]'],
    ['stac 123456 ABC sent', 'stac [redacted] sent'],
    ['stac 123456-ABC, sent', 'stac [redacted], sent'],
    ['rio A3P123456559 sent', 'rio [redacted] sent'],
    ['pac=AB-12 sent', 'pac=[redacted] sent'],
    ['pac :  ABCD-1 sent', 'pac :  [redacted] sent'],
    ['pac="two words" sent', 'pac=[redacted] sent'],
    ['"pac":"cut sho', '"pac":[redacted]'],
    ['porting code  NL7K9Q sent', 'porting code  [redacted] sent'],
    ['porting code 12AB34 sent', 'porting code [redacted] sent'],
    ['ABC123456, ABD123456', '[redacted], [redacted]'],
    ['123456ABC, 123456ABD', '[redacted], [redacted]'],
    ['code 03pabcdef559 sent', 'code [redacted] sent'],
    ['code a3pabcdef559 sent', 'code [redacted] sent'],
    ['code 03-P-123456-559 sent', 'code [redacted] sent'],
    ['03 P 123456 5+5, 03 P 123456 5+6', '[redacted], [redacted]'],
  ])('%j becomes %j', (text, visible) => {
    expect(redactText(text)).toBe(visible);
  });

  test.each([
    '123456xABC',
    '123456ABCD',
    'bearer',
    'basically fine',
    'the 100000 rows',
    'it is a 2026-07-01 that was',
    'a PAC: letters only',
    'pac=A-1',
    'no porting code there',
    'porting code NUMBER sent',
  ])('%j contains no secret', (text) => {
    expect(redactText(text)).toBe(text);
  });

  test('of 500 characters is complete, and a longer one shows that it was cut', () => {
    expect(redactText('x'.repeat(500))).toBe('x'.repeat(500));
    expect(redactText('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
  });

  test('that is short after redaction shows a cut only if there was one', () => {
    const secret = (length: number) => `token=${'x'.repeat(length - 'token='.length)}`;
    expect(redactText(secret(2_000))).toBe('token=[redacted]');
    expect(redactText(secret(2_001))).toBe('token=[redacted]…');
    expect(redactText(`${secret(2_000)} and more`)).toBe('token=[redacted]…');
  });
});

describe('a value', () => {
  test('of a date, set, map or error is readable', () => {
    expect(redact(new Date('2026-07-01T00:00:00Z'))).toBe('2026-07-01T00:00:00.000Z');
    expect(redact(new Set(['a', { pac: 'b' }]))).toEqual(['a', { pac: '[redacted]' }]);
    expect(redact(new Map([[{ a: 1 }, 'b']]))).toEqual({ '[object]': 'b' });
    expect(redact({ name: 'a', size: 1 })).toStrictEqual({ name: 'a', size: 1 });
  });

  test('that is an error keeps its name, its stack and its other members, and a cause only if there is one', () => {
    const error = Object.assign(new TypeError('no'), { status: 400 });
    expect(redact(error)).toStrictEqual({
      name: 'TypeError',
      message: 'no',
      stack: expect.stringContaining('no'),
      status: 400,
    });
    const caused = redact(Object.assign(new Error('no'), { cause: 'because' }));
    expect(caused).toMatchObject({ cause: 'because' });
  });

  test('is cut where it is too deep', () => {
    const nested = (levels: number): unknown => (levels === 0 ? {} : { in: nested(levels - 1) });
    expect(JSON.stringify(redact(nested(11)))).not.toContain('[too deep]');
    expect(JSON.stringify(redact(nested(12)))).toContain('[too deep]');
  });
});
