// What may be decided, and what is stored of whoever decided it.
import { describe, expect, test } from 'vitest';
import { type Decide, decidedAs, decisionAnswer, decisionWish } from '#shared/domain/decision.ts';
import { iso, noon } from '../../support/results-ledger.ts';

const decide: Decide = { importId: 'import-a', request: 1, what: { kind: 'give-up' }, by: 'ada' };

describe('a wish', () => {
  test.each([
    {},
    { what: { kind: 'adopt', portId: 'port-1' } },
    { what: { kind: 'send-again', yes: true } },
    { what: { kind: 'keep', portId: 'port-1', cancelOthers: false } },
    { because: 'cancelled in the portal' },
  ])('is read as it was written: %j', (changes) => {
    const wish = { decide: { ...decide, ...changes } };
    expect(decisionWish.parse(wish)).toEqual(wish);
  });

  test.each([
    { importId: '' },
    { request: 0 },
    { what: { kind: 'adopt' } },
    { what: { kind: 'adopt', portId: '' } },
    { what: { kind: 'send-again' } },
    { what: { kind: 'send-again', yes: false } },
    { what: { kind: 'forget' } },
    { by: undefined },
    { because: 7 },
  ])('is none where a part of it is missing or wrong: %j', (changes) => {
    expect(decisionWish.safeParse({ decide: { ...decide, ...changes } }).success).toBe(false);
  });
});

test.each([
  { decided: true, state: 'created', portId: 'port-1' },
  { decided: true, state: 'planned', portId: null },
  { decided: false, why: 'it is not with people', advice: 'ask for it' },
])('an answer is read as it was written: %j', (answer) => {
  expect(decisionAnswer.parse(answer)).toEqual(answer);
});

test.each([
  { decided: true, state: 'forgotten', portId: null },
  { decided: true, state: 'planned' },
  { decided: false, why: 'no' },
  {},
])('an answer that nobody understands is none: %j', (answer) => {
  expect(decisionAnswer.safeParse(answer).success).toBe(false);
});

describe('what is stored', () => {
  const stored = (changes: Partial<Decide>) => decidedAs({ ...decide, ...changes }, noon);

  test('says when, who and what, and why where that was said', () => {
    expect(stored({})).toEqual({ at: iso(noon), by: 'ada', what: 'give-up' });
    expect(stored({})).not.toHaveProperty('because');
    expect(stored({ because: ' \n ' })).not.toHaveProperty('because');
    expect(stored({ because: 'cancelled\nin the portal ' }).because).toBe('cancelled in the portal');
  });

  test('is cut where it is long: a name at 60 characters, a reason at 200', () => {
    const { by, because = '' } = stored({ by: 'x'.repeat(300), because: 'y'.repeat(300) });
    expect([by.length, because.length]).toEqual([60, 200]);
    expect(stored({ by: `${'x'.repeat(59)} yyy` }).by).toBe('x'.repeat(59));
  });

  test('holds nothing that looks like a PAC (decision 44)', () => {
    expect(JSON.stringify(stored({ by: 'ABC123456', because: 'the PAC was ABC123456' }))).not.toContain('ABC123456');
  });
});
