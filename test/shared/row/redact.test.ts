import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact, redactName, redactSecrets, redactText } from '#shared/row/redact.ts';

describe('redacting a text', () => {
  test.each([
    ['PAC ABC123456 is invalid', 'ABC123456'],
    ['pac abc 123 456 is invalid', 'abc 123 456'],
    ['STAC 123456ABC', '123456ABC'],
    ['RIO 03P123456559.', '03P123456559'],
    ['RIO 03P123456+5+ here', '03P123456+5+'],
    ['Authorization: Bearer eyJhbGciOi.J9.x-y_z', 'eyJhbGciOi.J9.x-y_z'],
    ['{"access_token":"s3cret-value","expires_in":3600}', 's3cret-value'],
    ['client_id=a&client_secret=s3cret-value&grant_type=x', 's3cret-value'],
    ['"Pac": "ZZ-99"', 'ZZ-99'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJzdWIiOiIxIn0'],
  ])('%j is redacted', (text, secret) => {
    expect(redactText(text)).not.toContain(secret);
    expect(redactText(text)).toContain('[redacted]');
  });

  test.each([
    'MSISDN 447700900123 already exists on the stock records',
    'port 3f2504e0-4f89-41d3-9a0c-0305e82c3301 not found',
    'serial 8944110065123456783',
    '2026-07-01T00:00:00',
    'Not valid for this network',
    'PacCheckFailed SubmittedWithErrors',
    'sim1-0123456789abcdef',
  ])('%j is unchanged', (text) => expect(redactText(text)).toBe(text));

  test('keeps 500 characters', () => {
    expect(redactText('x'.repeat(600))).toBe(`${'x'.repeat(500)}…`);
    expect(redactText(`${'x '.repeat(248)}ABC123456`)).not.toContain('ABC1');
  });

  test('never ends in half a character', () => {
    for (const before of ['', 'x']) {
      const cut = redactText(before + '\u{1F600}'.repeat(600));
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeGreaterThan(490);
    }
    expect(redactText(`x${'\u{1F600}'.repeat(255)}`)).toMatch(/^x[^x]+\u2026$/u);
  });

  test('finds a PAC anywhere in a text', () => {
    const words = fc.array(fc.constantFrom('the', 'PAC', 'of', '447700900123', 'was', '"', ',', 'é'), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(words, words, fc.stringMatching(/^[A-Z]{3}\d{6}$/), (before, after, pac) => {
        expect(redactText([...before, pac, ...after].join(' '))).not.toContain(pac);
      }),
    );
  });
});

describe('redacting a value', () => {
  test('masks secret keys at every depth and in any case', () => {
    const value = {
      Rows: [{ Line: '33', Pac: 'X1' }],
      headers: new Map([['Authorization', 'Bearer x']]),
      credentials: { clientId: 'a', clientSecret: 'b', client_secret: 'c', access_token: 'd' },
    };
    expect(redact(value)).toEqual({
      Rows: [{ Line: '33', Pac: '[redacted]' }],
      headers: { Authorization: '[redacted]' },
      credentials: {
        clientId: 'a',
        clientSecret: '[redacted]',
        client_secret: '[redacted]',
        access_token: '[redacted]',
      },
    });
  });

  test('an absent PAC stays visible as absent', () => {
    expect(redact({ pac: null, Pac: undefined })).toEqual({ pac: null, Pac: undefined });
  });

  test('a request token is not a secret', () => {
    expect(redact({ requestToken: 'sim1-x', nextToken: 'y' })).toEqual({ requestToken: 'sim1-x', nextToken: 'y' });
  });

  test('masks secrets inside errors and their causes', () => {
    const cause = Object.assign(new Error('pac ABC123456 refused'), { body: '{"pac":"ABC123456"}', status: 400 });
    const copy = redact(new Error('failed', { cause }));
    expect(JSON.stringify(copy)).not.toContain('ABC123456');
    expect(copy).toMatchObject({ message: 'failed', cause: { status: 400 } });
  });

  test.each([
    ['MSISDN 447700900123 already exists', 'MSISDN [number] already exists'],
    [
      'the port does not hold 447700900123, 447700900124 that were sent',
      'the port does not hold [number], [number] that were sent',
    ],
    ['{"msisdn":"+447700900123","serialNo":"8944110065123456783"}', '{"msisdn":"[number]","serialNo":"[number]"}'],
    ['GET /api/sim/89441100651234567834/services: refused', 'GET /api/sim/[number]/services: refused'],
    ['number#447700900123', 'number#[number]'],
    ['07700 900123 and (07700) 900-124.', '[number] and ([number].'],
    ['+44 (0)7700 900123 or 020-7946-0958', '[number] or [number]'],
  ])('the subscriber in %j is redacted', (text, shown) => {
    expect(redact({ told: [text] })).toEqual({ told: [shown] });
  });

  test.each([
    '3f2504e0-4f89-41d3-9a0c-030582123301',
    '2026-07-01T16:00:00.000Z',
    '2026-07-01 16:00:00',
    'lines 101, 102 and 103',
    '4421584500000000017450439091',
    'sim1-0123456789abcdef',
  ])('%j names no subscriber and stays in a log', (text) => expect(redact(text)).toBe(text));

  test('cuts cycles and does not change the original', () => {
    const value: { pac: string; self?: unknown } = { pac: 'ABC123456' };
    value.self = value;
    expect(redact(value)).toEqual({ pac: '[redacted]', self: '[circular]' });
    expect(value.pac).toBe('ABC123456');
  });

  test('no value makes it throw, and the result can be logged as JSON', () => {
    const anything = fc.anything({
      withBigInt: true,
      withMap: true,
      withSet: true,
      withDate: true,
      withNullPrototype: true,
    });
    fc.assert(fc.property(anything, (value) => void JSON.stringify(redact(value))));
  });
});

test.each([
  ['447700900123_july.csv', 'number_july.csv'],
  ['list-07700 900123.csv', 'list-number.csv'],
  ['2026-11-24_447700900123.xlsx', '2026-11-24_number.xlsx'],
  ['8944110068123456787.csv', 'number.csv'],
  ['july_ABC123456.csv', 'july_code.csv'],
  ['20261124183000-ports 2026-07-01 10-30.csv', '20261124183000-ports 2026-07-01 10-30.csv'],
])('the name %s is shown as %s', (name, shown) => expect(redactName(name)).toBe(shown));

test('for a recording, secrets and known codes are masked, and numbers, SIMs and long texts stay', () => {
  const long = 'x'.repeat(20_000);
  const value = {
    msisdn: '07700900123',
    serialNo: '8944110000000000123',
    rows: [{ Pac: '12345678', message: '1234 5678' }],
  };
  expect(redactSecrets({ ...value, long, name: 'PAC ABC123456' }, ['12345678'])).toEqual({
    ...value,
    rows: [{ Pac: '[redacted]', message: '[redacted]' }],
    long,
    name: 'PAC [redacted]',
  });
});
