// After searches that prove that the list has no port of the request: sent again, declined, or action required.
import { describe, expect, test } from 'vitest';
import type { ExcludedRow, RequestItem } from '#shared/request/request.ts';
import { believeDecline, markActionRequired, requeueAsSafe } from '#shared/request/request-state.ts';
import { afterAbsence } from '#shared/request/waiting-request.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';

const times = { now: noon + 60_000, quietMs: 30_000 };
const error = { kind: 'rejected', message: 'no' };
const unknown = requestItemOf({ state: 'unknown', attempt: 1, error });

describe('a request whose last call had no answer', () => {
  test('is sent again, however often, after the answer of no gateway', () => {
    expect(afterAbsence(unknown, 1, times)).toEqual(requeueAsSafe(unknown, times.now));
    for (const status of [undefined, 399, 500]) {
      const item = { ...unknown, attempt: 12, error: { ...error, ...(status && { status }) } };
      expect(afterAbsence(item, 1, times)).toEqual(requeueAsSafe(item, times.now));
    }
    const { error: _, ...silent } = { ...unknown, attempt: 12 };
    expect(afterAbsence(silent, 1, times)).toEqual(requeueAsSafe(silent, times.now));
  });

  test('is sent again after the third search of a list without a single port, which may be a fault of the list', () => {
    let item: RequestItem = unknown;
    for (const absences of [2, 3]) {
      item = afterAbsence(item, 0, times);
      const expected = { dueAt: iso(times.now + times.quietMs), unverified: { answer: 'none', absences } };
      expect(item).toEqual({ ...unknown, inconclusiveSearches: undefined, ...expected });
    }
    expect(afterAbsence(item, 0, times)).toEqual(requeueAsSafe(item, times.now));
  });

  test.each([400, 499])('requires action after twelve attempts of which the last was answered with %i', (status) => {
    const item = (attempt: number) => ({ ...unknown, attempt, error: { ...error, status } });
    expect(afterAbsence(item(11), 1, times)).toEqual(requeueAsSafe(item(11), times.now));
    const message =
      '12 attempts created no port. The last answer: no. Ask the operator of the service, then resolve the request';
    expect(afterAbsence(item(12), 0, times)).toEqual(markActionRequired(item(12), message, times.now));
  });
});

describe('an answer that is not believed at once', () => {
  const row: ExcludedRow = { line: 3, subject: '447700900002', code: 'ROW_REFUSED', message: 'no' };
  const unverified = (
    answer: NonNullable<RequestItem['unverified']>['answer'],
    absences: number,
    named?: ExcludedRow[],
  ): RequestItem => ({
    ...unknown,
    inconclusiveSearches: 3,
    unverified: { answer, absences, ...(named && { named }) },
  });

  test.each([
    [1, 0],
    [0, 0],
    [0, 2],
  ])('waits for a further search of a list of %i ports that was searched %i times', (listed, absences) => {
    const item = unverified('decline', absences, [row]);
    expect(afterAbsence(item, listed, times)).toEqual({
      ...item,
      dueAt: iso(times.now + times.quietMs),
      inconclusiveSearches: undefined,
      unverified: { answer: 'decline', absences: absences + 1, named: [row] },
    });
  });

  test.each([
    ['the second search', 1, 1],
    ['the fourth search of an empty list', 0, 3],
  ])('is believed after %s', (_, listed, absences) => {
    const declined = unverified('decline', absences);
    expect(afterAbsence(declined, listed, times)).toEqual(believeDecline(declined, { error }, times.now));
    const named = unverified('decline', absences, [row]);
    expect(afterAbsence(named, listed, times)).toEqual(believeDecline(named, { error, named: [row] }, times.now));
  });

  test('a request that a person resends is sent again', () => {
    const item = unverified('none', 1);
    expect(afterAbsence(item, 1, times)).toEqual(requeueAsSafe(item, times.now));
  });

  test('a port id that belongs to another request requires action', () => {
    const item = unverified('port-id', 1);
    const message =
      'no. It has no port with the name of this request. Search for the name in the portal, then resolve it';
    expect(afterAbsence(item, 1, times)).toEqual(markActionRequired(item, message, times.now));
  });

  test('has the reason of an answer without one', () => {
    const { error: _, ...item } = unverified('decline', 1);
    expect(afterAbsence(item, 1, times)).toMatchObject({
      state: 'declined',
      error: { kind: 'conflict', message: '' },
    });
  });
});
