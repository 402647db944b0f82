// What the one call of an attempt came to.
import { describe, expect, test } from 'vitest';
import { callOnce, errorOf, saysNothingWasDone } from '#functions/submit/call.ts';
import type { WithdrawnRow } from '#shared/domain/ledger.ts';
import {
  Ambiguous,
  Conflict,
  ContractBroken,
  CredentialsRefused,
  HeldBack,
  NotFound,
  NotSent,
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
