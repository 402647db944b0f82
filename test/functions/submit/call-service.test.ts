// The result of the one call of an attempt.
import { describe, expect, test } from 'vitest';
import { errorOf } from '#functions/submit/end-message.ts';
import { callService } from '#functions/submit/send-request.ts';
import {
  Ambiguous,
  CallDeferred,
  Conflict,
  ContractBroken,
  CredentialsRejected,
  type Decline,
  type DeclineDetails,
  NotFound,
  NotSent,
  RateLimited,
  Rejected,
  Unavailable,
} from '#shared/service/errors.ts';

const call = 'POST /api/porting/1001';
const details = { call, status: 422 };
const refusal = (changes: Partial<DeclineDetails> = {}): DeclineDetails => ({
  message: 'no',
  fieldErrors: [],
  msisdns: [],
  ...changes,
});
const asDeclined = async (decline: Decline) => ({ kind: 'declined' as const, error: errorOf(decline) });
const failing = (error: unknown) => callService('port', () => Promise.reject(error), asDeclined);

describe('an answer', () => {
  test.each([
    ['port', { kind: 'created', portId: 'the-id' }],
    ['ticket', { kind: 'accepted', ticket: 'the-id' }],
    ['change', { kind: 'changed', portId: 'the-id' }],
  ] as const)('depends on what the operation makes: %s', async (makes, answer) => {
    expect(await callService(makes, async () => 'the-id', asDeclined)).toEqual(answer);
  });

  test.each([
    new NotSent('no connection', { call }),
    new CallDeferred('too many calls are waiting', 20_000, { call }),
    new RateLimited(1_000, details),
    new CredentialsRejected('declined', { call }),
    new Unavailable('answered 503', { call }),
  ])('that proves that nothing was done is returned as it is: $kind', async (failure) => {
    expect(failure.nothingWasDone).toBe(true);
    expect(await failing(failure)).toBe(failure);
  });

  test.each([new Ambiguous('reset', details), new ContractBroken('not as described', details)])(
    'that does not prove what was done is ambiguous: $kind',
    async (failure) => {
      expect(failure.nothingWasDone).toBe(false);
      expect(await failing(failure)).toEqual({
        kind: 'ambiguous',
        error: { kind: failure.kind, message: failure.message, status: 422 },
      });
    },
  );

  test('of an unknown kind is ambiguous', async () => {
    expect(await failing(new TypeError('odd'))).toEqual({
      kind: 'ambiguous',
      error: { kind: 'unexpected', message: 'odd' },
    });
    expect(errorOf('odd')).toEqual({ kind: 'unexpected', message: 'odd' });
    expect(Object.keys(errorOf(new NotSent('no connection', { call })))).toEqual(['kind', 'message']);
  });
});

describe('a declined call', () => {
  test.each([new Rejected(refusal(), details), new NotFound(refusal(), details), new Conflict(refusal(), details)])(
    'has the message of the service: $kind',
    async (failure) => {
      expect(await failing(failure)).toEqual({
        kind: 'declined',
        error: { kind: failure.kind, message: 'no', status: 422 },
      });
    },
  );
});
