// What the one call of an attempt came to, and how long to wait where nothing was sent.
import { describe, expect, test } from 'vitest';
import { callOnce, errorOf, saysNothingWasDone, waitAfter } from '#functions/submit/call.ts';
import type { WithdrawnRow } from '#shared/domain/ledger.ts';
import {
  Ambiguous,
  Conflict,
  ContractBroken,
  CredentialsRefused,
  HeldBack,
  NotFound,
  NotSent,
  type PortingFailure,
  RateLimited,
  type Refusal,
  Rejected,
  Unavailable,
} from '#shared/porting/errors.ts';

const call = 'POST /api/porting/1001';
const details = { call, status: 422 };
const refusal = (changes: Partial<Refusal> = {}): Refusal => ({
  message: 'no',
  fieldErrors: [],
  msisdns: [],
  ...changes,
});
const lines: Readonly<Record<string, number>> = { '447700900001': 2, '447700900002': 3, '8944110000000000001': 4 };
const lineOf = (subject: string) => lines[subject];
const failing = (error: unknown) => callOnce('port', () => Promise.reject(error), lineOf);

describe('an answer', () => {
  test.each([
    ['port', { kind: 'created', portId: 'the-id' }],
    ['ticket', { kind: 'accepted', ticket: 'the-id' }],
    ['change', { kind: 'changed', portId: 'the-id' }],
  ] as const)('is what a %s makes of its id', async (makes, answer) => {
    expect(await callOnce(makes, async () => 'the-id', lineOf)).toEqual(answer);
  });

  test.each([
    new NotSent('no connection', { call }),
    new HeldBack('the line of calls is long', 20_000, { call }),
    new RateLimited(1_000, details),
    new CredentialsRefused('refused', { call }),
    new Unavailable('answered 503', { call }),
  ])('that says nothing was done is handed on: $kind', async (failure) => {
    expect(saysNothingWasDone(failure)).toBe(true);
    expect(await failing(failure)).toBe(failure);
  });

  test.each([new Ambiguous('reset', details), new ContractBroken('not as described', details)])(
    'that says nothing of what was done is ambiguous: $kind',
    async (failure) => {
      expect(saysNothingWasDone(failure)).toBe(false);
      expect(await failing(failure)).toEqual({
        kind: 'ambiguous',
        error: { kind: failure.kind, message: failure.message, status: 422 },
      });
    },
  );

  test('of an unknown kind is ambiguous, too', async () => {
    expect(await failing(new TypeError('odd'))).toEqual({
      kind: 'ambiguous',
      error: { kind: 'unexpected', message: 'odd' },
    });
    expect(errorOf('odd')).toEqual({ kind: 'unexpected', message: 'odd' });
    expect(Object.keys(errorOf(new NotSent('no connection', { call })))).toEqual(['kind', 'message']);
  });
});

describe('a refusal', () => {
  test.each([new Rejected(refusal(), details), new NotFound(refusal(), details), new Conflict(refusal(), details)])(
    'is told in the service’s own words: $kind',
    async (failure) => {
      expect(await failing(failure)).toEqual({
        kind: 'refused',
        error: { kind: failure.kind, message: 'no', status: 422 },
        named: undefined,
      });
    },
  );

  test('names the lines of the numbers and SIMs that it is about, as far as they are ours', async () => {
    const named = refusal({ msisdns: ['447700900002', '449999999999'], serialNumbers: ['8944110000000000001'] });
    expect(await failing(new Rejected(named, { call }))).toEqual({
      kind: 'refused',
      error: { kind: 'rejected', message: 'no', lines: [3, 4] },
      named: undefined,
    });
    const foreign = refusal({ msisdns: ['449999999999'] });
    expect(await failing(new Rejected(foreign, { call }))).toMatchObject({
      error: { kind: 'rejected', message: 'no' },
    });
    expect((await failing(new Rejected(foreign, { call }))) as object).not.toHaveProperty('error.lines');
  });

  test('comes with the rows without which the others may go', async () => {
    const rows: WithdrawnRow[] = [{ line: 2, subject: '447700900001', code: 'ROW_REFUSED', message: 'why' }];
    const asked: Refusal[] = [];
    const failure = new Rejected(refusal(), details);
    const answer = await callOnce(
      'port',
      () => Promise.reject(failure),
      lineOf,
      (given) => {
        asked.push(given);
        return rows;
      },
    );
    expect(answer).toMatchObject({ kind: 'refused', named: rows });
    expect(asked).toEqual([failure.refusal]);
  });
});

describe('the wait', () => {
  const notSent = new NotSent('no connection', { call });
  const waits = (failure: PortingFailure, random: number) =>
    [1, 2, 3, 8, 9, 99].map((attempt) => waitAfter(failure, attempt, random) / 1_000);

  test('doubles from five seconds up to fifteen minutes', () => {
    expect(waits(notSent, 1)).toEqual([5, 10, 20, 640, 900, 900]);
  });

  test('is drawn from the upper half', () => {
    expect(waits(notSent, 0)).toEqual([2.5, 5, 10, 320, 450, 450]);
  });

  test('is never before the service allows, and a little later for each', () => {
    const limited = new RateLimited(60_000, details);
    expect(waitAfter(limited, 1, 0)).toBe(60_000);
    expect(waitAfter(limited, 1, 0.5)).toBe(63_000);
    expect(waitAfter(limited, 6, 0.5)).toBe(120_000);
    expect(waitAfter(new RateLimited(3_600_000, details), 1, 0.5)).toBe(900_000);
  });

  test('of refused credentials is five minutes: a person has to mend them', () => {
    expect(waits(new CredentialsRefused('refused', { call }), 0.5)).toEqual(Array(6).fill(300));
  });
});
