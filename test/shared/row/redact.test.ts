import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskCodes, maskQuotedCodes, redact, redactName, redactSecrets, redactText } from '#shared/row/redact.ts';

describe('redacting a text', () => {
  test.each([
    ['PAC ABC123456 is invalid', 'ABC123456'],
    ['pac abc 123 456 is invalid', 'abc 123 456'],
    ['pac \u202aABC\u200e123456\u202c is invalid', '123456'],
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

// Every key and every pattern of a secret by itself, so that no test depends on another pattern (spec gap 44).
describe('each pattern by itself', () => {
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
      'keep one: --map "2:pac="',
      'keep one: --map "PAC code="',
      '"pac": ""',
      'password=""',
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
});

// Porting codes are removed from texts of the service and from messages about rows, and other words stay.
describe('porting codes in texts', () => {
  describe('known codes', () => {
    const codes = ['ABC123456', '03P123456+59'];

    test.each([
      ['PAC ABC123456 is invalid', 'PAC [redacted] is invalid'],
      ['abc-123 456.', '[redacted].'],
      ['A - B C123456', '[redacted]'],
      ['03p123456+59 and ABC123456', '[redacted] and [redacted]'],
      ['XABC123456', 'X[redacted]'],
      ['ABC1234567', '[redacted]7'],
      ['ABC    123456', '[redacted]'],
      ['07700900123abc.123_456|8944', '07700900123[redacted]|8944'],
      ['ABC123456ABC123456', '[redacted][redacted]'],
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

    test('that may be part of any number or word are masked as words', () => {
      expect(maskCodes('2001 and 12001, 20-01 and 20.01', ['2001'])).toBe('[redacted] and 12001, [redacted] and 20.01');
      expect(maskCodes('NONE, someone none', ['none'])).toBe('[redacted], someone [redacted]');
      expect(maskCodes('07700900123456789', ['456789'])).toBe('07700900123[redacted]');
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
});
