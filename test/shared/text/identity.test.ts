import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  importId,
  planRules,
  portName,
  requestToken,
  reschedulingId,
  tokenOfPortName,
  withoutToken,
} from '#shared/text/identity.ts';

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
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (label) => {
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
