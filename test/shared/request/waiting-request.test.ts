// A request that waits without a message: for a proof that the list has no port of it, or because a person stopped it.
import { describe, expect, test } from 'vitest';
import type { ExcludedRow, PortSearch, RequestItem } from '#shared/request/request.ts';
import {
  believeDecline,
  lostMessageMs,
  markActionRequired,
  requeueAsSafe,
  stoppedError,
} from '#shared/request/request-state.ts';
import {
  afterAbsence,
  awaitProof,
  awaitsProof,
  continueStopped,
  endStopped,
  recordFailedSearch,
  stopRequest,
} from '#shared/request/waiting-request.ts';
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
    for (const absences of [1, 2]) {
      item = afterAbsence(item, 0, times);
      const expected = { dueAt: iso(times.now + times.quietMs), search: { for: 'answer', absences, failures: 0 } };
      expect(item).toEqual({ ...unknown, ...expected });
    }
    expect(afterAbsence(item, 0, times)).toEqual(requeueAsSafe(item, times.now));
  });

  test.each([400, 499])('requires action after twelve attempts of which the last was answered with %i', (status) => {
    const item = (attempt: number) => ({ ...unknown, attempt, error: { ...error, status } });
    expect(afterAbsence(item(11), 1, times)).toEqual(requeueAsSafe(item(11), times.now));
    const message =
      '12 attempts created no port. The last answer: no. Ask the operator of the service, then resolve the request';
    expect(afterAbsence(item(12), 0, times)).toEqual(markActionRequired(item(12), message, times.now));
    // A person resends it nevertheless.
    const resent = { ...item(12), search: { for: 'resend' as const, absences: 1, failures: 0 } };
    expect(afterAbsence(resent, 1, times)).toEqual(requeueAsSafe(resent, times.now));
  });
});

describe('an answer that is not believed at once', () => {
  const row: ExcludedRow = { line: 3, subject: '447700900002', code: 'ROW_REFUSED', message: 'no' };
  const searched = (what: PortSearch['for'], absences: number, named?: ExcludedRow[]): RequestItem => ({
    ...unknown,
    search: { for: what, absences, failures: 3, ...(named && { named }) },
  });

  test.each([
    [1, 0],
    [0, 0],
    [0, 2],
  ])('waits for a further search of a list of %i ports that was searched %i times', (listed, absences) => {
    const item = searched('decline', absences, [row]);
    expect(afterAbsence(item, listed, times)).toEqual({
      ...item,
      dueAt: iso(times.now + times.quietMs),
      search: { for: 'decline', absences: absences + 1, failures: 0, named: [row] },
    });
  });

  test.each([
    ['the second search', 1, 1],
    ['the fourth search of an empty list', 0, 3],
  ])('is believed after %s', (_, listed, absences) => {
    const declined = searched('decline', absences);
    expect(afterAbsence(declined, listed, times)).toEqual(believeDecline(declined, { error }, times.now));
    const named = searched('decline', absences, [row]);
    expect(afterAbsence(named, listed, times)).toEqual(believeDecline(named, { error, named: [row] }, times.now));
  });

  test('a request that a person resends is sent again', () => {
    let item = searched('resend', 1);
    expect(afterAbsence(item, 1, times)).toEqual(requeueAsSafe(item, times.now));
    for (const absences of [2, 3]) {
      item = afterAbsence(item, 0, times);
      expect(item).toMatchObject({ state: 'unknown', search: { for: 'resend', absences, failures: 0 } });
      expect(awaitsProof(item)).toBe(false);
    }
    expect(afterAbsence(item, 0, times)).toEqual(requeueAsSafe(item, times.now));
  });

  test('what a person decides is carried out after the first search that ends', () => {
    for (const what of ['resend', 'abandon'] as const) {
      const resolution = { at: iso(noon), by: 'ada', what };
      const item = awaitProof(searched('answer', 0), resolution, noon);
      expect(item).toMatchObject({ state: 'unknown', search: { for: what, absences: 0, failures: 0 }, resolution });
      expect(awaitsProof(item)).toBe(true);
      expect(awaitsProof(recordFailedSearch(item, 'it is too long', times))).toBe(true);
    }
    expect(awaitsProof(unknown)).toBe(false);
    expect(awaitsProof(searched('decline', 0))).toBe(false);
  });

  test('a port id that belongs to another request requires action', () => {
    const item = searched('own-port', 1);
    const message =
      'no. It has no port with the name of this request. Search for the name in the portal, then resolve it';
    expect(afterAbsence(item, 1, times)).toEqual(markActionRequired(item, message, times.now));
  });

  test('has the reason of an answer without one', () => {
    const { error: _, ...item } = searched('decline', 1);
    expect(afterAbsence(item, 1, times)).toMatchObject({
      state: 'declined',
      error: { kind: 'conflict', message: '' },
    });
  });
});

describe('a request whose import was stopped', () => {
  const planned = requestItemOf();
  const stopped = stopRequest(planned, noon);

  test('is read once more, because a resume may have come before the reading, and then waits without a time', () => {
    expect(stopped).toMatchObject({ state: 'planned', error: stoppedError, dueAt: iso(noon + lostMessageMs) });
    expect(stopRequest(stopped, noon).dueAt).toBeUndefined();
  });

  test('is planned like any other once the import goes on, and due at once if it waits for a cancellation', () => {
    expect(continueStopped(stopped, noon)).toMatchObject({ state: 'planned', dueAt: iso(noon + lostMessageMs) });
    expect(continueStopped(stopped, noon).error).toBeUndefined();
    const replaces = { importId: 'import-0', request: 1, portId: 'p0' };
    expect(continueStopped({ ...stopped, replaces }, noon).dueAt).toBe(iso(noon));
  });

  test('says so for good once it has ended, with its lines', () => {
    expect(endStopped(stopped, '2-3', noon)).toMatchObject({
      state: 'skipped',
      lines: '2-3',
      error: stoppedError,
      endedAt: iso(noon),
    });
    expect(endStopped(planned, '2-3', noon).error).toEqual(stoppedError);
  });
});
