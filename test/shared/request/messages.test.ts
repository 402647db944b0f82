// The messages of the queues: the command of a person, and the start of a sync run.
import { describe, expect, test } from 'vitest';
import {
  type Resolution,
  resolveAnswer,
  resolveCommand,
  resolvedAs,
  syncAnswer,
  syncCommand,
} from '#shared/request/messages.ts';
import { iso, noon } from '../../support/steps/ledger-items.ts';

// The resolve command, and what is stored about it.
describe('resolve', () => {
  const decide: Resolution = { importId: 'import-a', request: 1, what: { kind: 'abandon' }, by: 'ada' };

  describe('a command', () => {
    test.each([
      {},
      { what: { kind: 'adopt', portId: 'port-1' } },
      { what: { kind: 'resend', yes: true } },
      { what: { kind: 'keep', portId: 'port-1', cancelOthers: false } },
      { because: 'cancelled in the portal' },
    ])('is parsed as it was written: %j', (changes) => {
      const command = { resolve: { ...decide, ...changes } };
      expect(resolveCommand.parse(command)).toEqual(command);
    });

    test.each([
      { importId: '' },
      { request: 0 },
      { what: { kind: 'adopt' } },
      { what: { kind: 'adopt', portId: '' } },
      { what: { kind: 'resend' } },
      { what: { kind: 'resend', yes: false } },
      { what: { kind: 'forget' } },
      { by: undefined },
      { because: 7 },
    ])('is invalid if a part is missing or wrong: %j', (changes) => {
      expect(resolveCommand.safeParse({ resolve: { ...decide, ...changes } }).success).toBe(false);
    });
  });

  test.each([
    { resolved: true, state: 'created', portId: 'port-1' },
    { resolved: true, state: 'planned', portId: null },
    { resolved: false, why: 'it is not with people', advice: 'ask for it' },
  ])('an answer is parsed as it was written: %j', (answer) => {
    expect(resolveAnswer.parse(answer)).toEqual(answer);
  });

  test.each([
    { resolved: true, state: 'forgotten', portId: null },
    { resolved: true, state: 'planned' },
    { resolved: false, why: 'no' },
    {},
  ])('an invalid answer is rejected: %j', (answer) => {
    expect(resolveAnswer.safeParse(answer).success).toBe(false);
  });

  describe('the stored resolution', () => {
    const stored = (changes: Partial<Resolution>) => resolvedAs({ ...decide, ...changes }, noon);

    test('has the time, the actor, the decision, and the reason if there is one', () => {
      expect(stored({})).toEqual({ at: iso(noon), by: 'ada', what: 'abandon' });
      expect(stored({})).not.toHaveProperty('because');
      expect(stored({ because: ' \n ' })).not.toHaveProperty('because');
      expect(stored({ because: 'cancelled\nin the portal ' }).because).toBe('cancelled in the portal');
    });

    test('is truncated: a name to 60 characters, a reason to 200', () => {
      const { by, because = '' } = stored({ by: 'x'.repeat(300), because: 'y'.repeat(300) });
      expect([by.length, because.length]).toEqual([60, 200]);
      expect(stored({ by: `${'x'.repeat(59)} yyy` }).by).toBe('x'.repeat(59));
    });

    test('contains nothing that looks like a PAC (spec gap 44)', () => {
      expect(JSON.stringify(stored({ by: 'ABC123456', because: 'the PAC was ABC123456' }))).not.toContain('ABC123456');
    });
  });
});

// The command that starts a sync run, and its answer.
describe('sync', () => {
  test('the command checks the secret, and nothing else is a command', () => {
    expect(syncCommand.parse({ checkSecret: true })).toEqual({ checkSecret: true });
    for (const other of [{}, { checkSecret: false }]) expect(syncCommand.safeParse(other).success).toBe(false);
  });

  test.each([
    { skipped: true, left: 0, secretChecked: false },
    { skipped: false, left: 7, secretChecked: true },
    { skipped: false, left: 7, secretChecked: false, failure: 'the service did not answer' },
  ])('an answer is parsed as it was written: %j', (answer) => {
    expect(syncAnswer.parse(answer)).toEqual(answer);
  });

  test.each([{ skipped: undefined }, { left: undefined }, { left: -1 }, { secretChecked: 'yes' }, { failure: 7 }])(
    'an answer is none where a part of it is missing or wrong: %j',
    (changes) => {
      expect(syncAnswer.safeParse({ skipped: false, left: 0, secretChecked: true, ...changes }).success).toBe(false);
    },
  );
});
