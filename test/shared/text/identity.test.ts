import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountNumber,
  adoptionId,
  describePart,
  describeRequest,
  importId,
  isSameRequest,
  mostParts,
  nameOfRequest,
  numberInPlan,
  partNumber,
  partOf,
  planRules,
  portingAccount,
  portName,
  requestToken,
  reschedulingId,
  tokenOfPortName,
  withoutToken,
} from '#shared/text/identity.ts';
import { anyText } from '../../support/any-text.ts';

const object = { bucket: 'inbox', key: 'create-port/a b.csv', version: 'v1' };

describe('the id of an import', () => {
  test('is fixed: a repeated event must find its import, whichever release made it', () => {
    expect(importId(object)).toMatchInlineSnapshot(`"qcqs9n2nyrfz2zy7"`);
  });

  test('is short and readable', () => {
    expect(importId(object)).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
  });

  test('differs with bucket, key and version', () => {
    const ids = [
      object,
      { ...object, bucket: 'other' },
      { ...object, key: 'create-port/b.csv' },
      { ...object, version: 'v2' },
      { bucket: 'inboxcreate-port', key: '/a b.csv', version: 'v1' },
    ].map(importId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the id of an import that moves ports', () => {
  test('is the same for the same command, and differs for any other', () => {
    const ids = [
      reschedulingId('import-a', 'ask-1'),
      reschedulingId('import-a', 'ask-2'),
      reschedulingId('import-b', 'ask-1'),
      reschedulingId('import-aask', '-1'),
      importId({ bucket: 'import-a', key: 'ask-1', version: '' }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(reschedulingId('import-a', 'ask-1')).toBe(ids[0]);
  });

  test('is fixed: a command that a newer release repeats must find its import', () => {
    expect(reschedulingId('import-a', 'ask-1')).toMatchInlineSnapshot(`"bxmfmgvbkyw09bfy"`);
  });
});

describe('the token of a request', () => {
  test('is fixed', () => {
    expect(requestToken('0123456789abcdef', 1)).toMatchInlineSnapshot(`"sim1-sqn08hg6hgtzhmv4"`);
  });

  test('differs with the grouping rules, while the import stays the same (fault 23)', () => {
    const id = importId(object);
    expect(requestToken(id, 1, planRules + 1)).not.toBe(requestToken(id, 1));
    expect(requestToken(id, 1)).toContain(`sim${planRules}-`);
  });

  test('is different for every request of an import', () => {
    const tokens = Array.from({ length: 5000 }, (_, number) => requestToken('x', number));
    expect(new Set(tokens).size).toBe(tokens.length);
  });
});

describe('the name of a port', () => {
  const token = requestToken('x', 7);

  test('is a readable label and the token', () => {
    expect(portName('UK Mobile A\n2026-07-01', token)).toBe(`UK Mobile A 2026-07-01 ${token}`);
    expect(portName('', token)).toBe(token);
  });

  test('has the maximum length if the label is longer, with a single space before the token', () => {
    const room = 255 - token.length - 1;
    expect(portName('x'.repeat(600), token)).toBe(`${'x'.repeat(room)} ${token}`);
    expect(portName('x'.repeat(room), token)).toBe(`${'x'.repeat(room)} ${token}`);
    expect(portName(`${'x'.repeat(room - 1)} yy`, token)).toBe(`${'x'.repeat(room - 1)} ${token}`);
  });

  test('contains its token, whatever the label, and has at most 255 characters', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 600 }), (label) => {
        const name = portName(label, token);
        expect(name.length).toBeLessThanOrEqual(255);
        expect(name.isWellFormed()).toBe(true);
        expect(tokenOfPortName(name)).toBe(token);
        expect(withoutToken(name)).not.toContain(` ${token}`);
        expect(tokenOfPortName(`${name} `)).toBe(token);
      }),
    );
  });

  test.each([
    'Made in the portal',
    '',
    'sim1-short',
    `x${'sim1-0123456789abcdef'}`,
    'sim1-0123456789abcdeF',
    'sim1-0123456789abcdef (copy)',
  ])('%j has no token', (name) => expect(tokenOfPortName(name)).toBeUndefined());
});

describe('the numbers of parts', () => {
  test('are never those of another request, however often parts are divided', () => {
    const requests = [1, 7, 10, 9_999_999];
    const parts = (request: number) => Array.from({ length: mostParts }, (_, index) => partNumber(request, index + 1));
    const all = requests.flatMap((request) => [request, ...parts(request), ...parts(request).flatMap(parts)]);
    expect(new Set(all).size).toBe(all.length);
    expect(all.every(Number.isSafeInteger)).toBe(true);
    expect([partNumber(7, 1), partNumber(7, 10), partNumber(partNumber(7, 3), 1)]).toEqual([
      10_000_007, 100_000_007, 310_000_007,
    ]);
  });

  test('say of which request they are a part, and which one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: 1, max: mostParts }), (request, place) => {
        const part = partNumber(request, place);
        expect(partOf(part)).toEqual({ request, place });
        expect(partOf(partNumber(part, place))).toEqual({ request: part, place });
        expect(numberInPlan(partNumber(part, place))).toBe(request);
      }),
    );
    expect(partOf(7)).toBeUndefined();
  });

  test('are words for people', () => {
    expect([nameOfRequest(7), nameOfRequest(partNumber(partNumber(7, 3), 1))]).toEqual([
      'request 7',
      'part 1 of part 3 of request 7',
    ]);
    expect([describePart(7), describePart(30_000_007)]).toEqual(['', ' (part 3 of request 7)']);
    expect(describeRequest({ importId: 'july', request: 30_000_007 })).toBe(
      'request july/30000007 (part 3 of request 7)',
    );
  });
});

test('a request is that of its import and number', () => {
  const one = { importId: 'july', request: 1 };
  expect([isSameRequest(one, { ...one }), isSameRequest(one, { ...one, request: 2 })]).toEqual([true, false]);
  expect(isSameRequest(one, { ...one, importId: 'june' })).toBe(false);
});

test('an account is a number at a service, also where its address changes', () => {
  const account = { accountId: 1001, baseUrl: 'https://porting.example.net' };
  expect(portingAccount(account)).toBe('1001@https://porting.example.net');
  expect(portingAccount({ ...account, knownAs: 'simulator' })).toBe('1001@simulator');
  expect(accountNumber('1001@simulator')).toBe(1001);
});

test('a port that was made elsewhere is adopted by one import of each account', () => {
  const ids = [adoptionId('1001@a', 'port-1'), adoptionId('1001@a', 'port-2'), adoptionId('1001@b', 'port-1')];
  expect(new Set(ids).size).toBe(3);
  expect(adoptionId('1001@a', 'port-1')).toBe(ids[0]);
});
