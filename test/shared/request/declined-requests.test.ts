// Declines: of a request that is sent in parts, and those that are not believed before the port list agrees.
import { describe, expect, test } from 'vitest';
import type { Answer, Declined, ExcludedRow, RequestItem, Resolved, Split } from '#shared/request/request.ts';
import { applyAnswer, verifyBeforeResend, wrongPort } from '#shared/request/request-state.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';

const times = { now: noon + 60_000, quietMs: 30_000 };
const changedAt = iso(times.now);
const inLine = iso(times.now + 15 * 60_000);
const error = { kind: 'rejected', message: 'no' };
const row = (line: number): ExcludedRow => ({ line, subject: 's', code: 'ROW_REFUSED', message: 'no' });
const inFlight = requestItemOf({ state: 'in-flight', attempt: 2, lines: '2-3', rowCount: 6 });
const answered = (item: RequestItem, answer: Answer, attempt = 2) => applyAnswer(item, attempt, answer, times);
const declined = (details: Partial<Declined> = {}): Answer => ({ kind: 'declined', error, ...details });
const splitOf = (changes: Partial<Split> = {}): Split => ({
  steps: 1,
  current: '2-3',
  waiting: ['4-5'],
  accepted: [],
  ...changes,
});
const inParts: RequestItem = { ...inFlight, split: splitOf() };
const over = { dueAt: undefined, changedAt, endedAt: changedAt };
const again = { state: 'planned', dueAt: inLine, changedAt };

describe('a declined request', () => {
  test('is planned again in halves, without the rows that were named', () => {
    expect(answered(inFlight, declined({ parts: 2 }))).toEqual({
      ...inFlight,
      ...again,
      split: { steps: 1, current: '2', waiting: ['3'], accepted: [] },
    });
    expect(answered(inParts, declined({ parts: 1, named: [row(3)] }))).toEqual({
      ...inParts,
      ...again,
      excludedRows: [row(3)],
      split: splitOf({ steps: 2 }),
    });
  });

  test('is over where it was sent as a whole', () => {
    expect(answered(inFlight, declined({ part: [row(2)] }))).toEqual({
      ...inFlight,
      ...over,
      state: 'declined',
      error,
    });
    expect(answered(inParts, declined())).toEqual({ ...inParts, ...over, state: 'declined', error });
  });
});

describe('after the answer to a part', () => {
  test('the next part is planned, and the rows of a declined one have the reason', () => {
    const next = splitOf({ current: '4-5', waiting: [] });
    expect(answered(inParts, declined({ part: [row(2), row(3)] }))).toEqual({
      ...inParts,
      ...again,
      excludedRows: [row(2), row(3)],
      split: next,
    });
    expect(answered(inParts, { kind: 'accepted', ticket: 't1' })).toEqual({
      ...inParts,
      ...again,
      split: { ...next, accepted: [{ lines: '2-3', ticket: 't1' }] },
    });
  });

  test('a request ends with the last one: accepted, if any part was', () => {
    const last = (changes: Partial<Split> = {}): RequestItem => ({
      ...inParts,
      error,
      split: splitOf({ waiting: [], ...changes }),
    });
    expect(answered(last(), { kind: 'accepted', ticket: 't1' })).toEqual({
      ...last(),
      ...over,
      state: 'accepted',
      ticket: 't1',
      error: undefined,
    });
    const accepted = [{ lines: '4', ticket: 't0' }];
    expect(answered(last({ accepted }), declined({ part: [row(2)] }))).toMatchObject({
      ...over,
      state: 'accepted',
      lines: '4',
      ticket: 't0',
      error: undefined,
      excludedRows: [row(2)],
    });
    expect(answered(last(), declined({ part: [row(2)] }))).toMatchObject({ ...over, state: 'declined', error });
  });

  test('a ticket counts for the last attempt of a request that has not ended, and only there', () => {
    const ticket: Answer = { kind: 'accepted', ticket: 't1' };
    expect(answered(inParts, ticket, 1)).toBeUndefined();
    expect(answered({ ...inParts, endedAt: iso(noon) }, ticket)).toBeUndefined();
    expect(answered({ ...inParts, state: 'unknown' }, ticket)).toMatchObject({ state: 'planned' });
  });

  test('only a ticket ends a part: a confirmed change ends the request', () => {
    expect(answered(inParts, { kind: 'changed', portId: 'p1' })).toMatchObject({
      state: 'accepted',
      changedPortId: 'p1',
    });
  });
});

describe('a doubtful decline', () => {
  test.each([[undefined], [[row(3)]]])('leaves the outcome unknown until the list was searched; named: %j', (named) => {
    expect(answered(inFlight, declined({ isDoubtful: true, named }))).toStrictEqual({
      ...inFlight,
      state: 'unknown',
      error,
      unverified: { answer: 'decline', absences: 0, ...(named && { named }) },

      dueAt: iso(times.now + times.quietMs),
      changedAt,
      missingReads: undefined,
      awaitsProof: undefined,
      sendOn: undefined,
      inconclusiveSearches: undefined,
    });
  });
});

test('a request that a person resends while the list is empty is searched again', () => {
  const unknown: RequestItem = { ...inFlight, state: 'action-required', error, missingReads: 2 };
  const resolution: Resolved = { at: changedAt, by: 'ada', what: 'resend' };
  expect(verifyBeforeResend(unknown, resolution, times)).toEqual({
    ...unknown,
    state: 'unknown',
    unverified: { answer: 'none', absences: 1 },
    resolution,

    missingReads: undefined,
    dueAt: iso(times.now + times.quietMs),
    changedAt,
  });
});

test('the port of another request is named, with as much of its name as a message can have', () => {
  expect(wrongPort('p1', 'Group A')).toBe('The service answered with port p1, whose name is "Group A"');
  expect(wrongPort('p1', 'x'.repeat(300)).length).toBeLessThan(170);
});
