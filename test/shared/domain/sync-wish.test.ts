// What a person may ask of sync, and what of its answer they are told.
import { expect, test } from 'vitest';
import { syncAnswer, syncWish } from '#shared/domain/sync-wish.ts';

test('a wish asks for the secret to be shown, and nothing else is one', () => {
  expect(syncWish.parse({ checkSecret: true })).toEqual({ checkSecret: true });
  for (const other of [{}, { checkSecret: false }]) expect(syncWish.safeParse(other).success).toBe(false);
});

test.each([
  { skipped: true, left: 0 },
  { skipped: false, left: 7, secretChecked: true },
  { skipped: false, left: 7, secretChecked: false, failure: 'the service did not answer' },
])('an answer is read as it was written: %j', (answer) => {
  expect(syncAnswer.parse(answer)).toEqual(answer);
});

test.each([{ skipped: undefined }, { left: undefined }, { left: -1 }, { secretChecked: 'yes' }, { failure: 7 }])(
  'an answer is none where a part of it is missing or wrong: %j',
  (changes) => {
    expect(syncAnswer.safeParse({ skipped: false, left: 0, ...changes }).success).toBe(false);
  },
);
