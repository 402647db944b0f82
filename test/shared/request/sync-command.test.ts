// The command that starts a sync run, and its answer.
import { expect, test } from 'vitest';
import { syncAnswer, syncCommand } from '#shared/request/messages.ts';

test('the command checks the secret, and nothing else is a command', () => {
  expect(syncCommand.parse({ checkSecret: true })).toEqual({ checkSecret: true });
  for (const other of [{}, { checkSecret: false }]) expect(syncCommand.safeParse(other).success).toBe(false);
});

test.each([
  { skipped: true, left: 0 },
  { skipped: false, left: 7, secretChecked: true },
  { skipped: false, left: 7, secretChecked: false, failure: 'the service did not answer' },
])('an answer is parsed as it was written: %j', (answer) => {
  expect(syncAnswer.parse(answer)).toEqual(answer);
});

test.each([{ skipped: undefined }, { left: undefined }, { left: -1 }, { secretChecked: 'yes' }, { failure: 7 }])(
  'an answer is none where a part of it is missing or wrong: %j',
  (changes) => {
    expect(syncAnswer.safeParse({ skipped: false, left: 0, ...changes }).success).toBe(false);
  },
);
