// What the answers of the service, and its declines, write to a request.
import { describe, expect, test } from 'vitest';
import {
  type Answer,
  type Declined,
  type ExcludedRow,
  type RequestItem,
  type Resolved,
  requestStates,
} from '#shared/request/request.ts';
import {
  adoptPorts,
  applyAnswer,
  isUndecided,
  planAgain,
  requeueRequest,
  rowsDeclinedByService,
  stoppedError,
  verifyBeforeResend,
  wrongPort,
} from '#shared/request/request-state.ts';
import { addLatePort, stopRequest } from '#shared/request/waiting-request.ts';
import { iso, noon, requestItemOf } from '../../../support/steps/ledger-items.ts';
import { error, heard, inFlight, inLine, later, rowOut, times } from '../../../support/steps/request-steps.ts';

// What an answer of the service writes to its request, attribute by attribute.
describe('an answer', () => {
  describe('a ticket', () => {
    const ticket: Answer = { kind: 'accepted', ticket: 't1' };

    test('ends the request', () => {
      expect(heard({ ...inFlight, error }, ticket)).toEqual({
        ...inFlight,
        state: 'accepted',
        ticket: 't1',
        error: undefined,
        dueAt: undefined,
        changedAt: iso(later),
        endedAt: iso(later),
      });
    });

    test('is the first one, whatever comes later', () => {
      const ended = heard(inFlight, ticket) ?? inFlight;
      expect(heard(ended, { kind: 'accepted', ticket: 't2' })).toBeUndefined();
      expect(heard(ended, { kind: 'changed', portId: 'p1' })).toBeUndefined();
    });
  });

  describe('an answer to the last attempt', () => {
    const inLineAgain = { state: 'planned', dueAt: inLine, changedAt: iso(later) };

    test('counts while the call is in flight or unknown, and in no other state', () => {
      const counts = requestStates.filter((state) => heard({ ...inFlight, state }, { kind: 'declined', error }));
      expect(counts).toEqual(['in-flight', 'unknown']);
    });

    test('that names some rows plans the others again without them', () => {
      const before = { ...inFlight, excludedRows: [rowOut(4, 'MSISDN_IN_LIVE_IMPORT')] };
      const named = [rowOut(3, 'ROW_REFUSED')];
      expect(heard(before, { kind: 'declined', error, named })).toEqual({
        ...before,
        ...inLineAgain,
        excludedRows: [...before.excludedRows, ...named],
      });
      expect(heard(inFlight, { kind: 'declined', error, named })?.excludedRows).toEqual(named);
    });

    test('with an unknown outcome leaves the request unknown, with the error', () => {
      expect(heard(inFlight, { kind: 'ambiguous', error })).toEqual({
        ...inFlight,
        state: 'unknown',
        error,
        dueAt: iso(later + 30_000),
        changedAt: iso(later),
      });
    });

    test('that declines makes the first port of a late answer its own, and keeps the others', () => {
      const before = { ...inFlight, duplicatePortIds: ['p1', 'p2', 'p3'] };
      expect(heard(before, { kind: 'declined', error })).toEqual({
        ...before,
        state: 'created',
        portId: 'p1',
        duplicatePortIds: ['p2', 'p3'],
        error: undefined,
        dueAt: iso(later),
        changedAt: iso(later),
      });
    });
  });

  describe('a port that was created late', () => {
    const over: RequestItem = { ...inFlight, state: 'declined', error, endedAt: iso(later - 1), dueAt: undefined };
    const due = { dueAt: iso(later), changedAt: iso(later) };

    test('becomes the port of a request that had ended or was stopped, which is marked', () => {
      const own = { state: 'created', portId: 'p1', error: undefined, endedAt: undefined, ...due };
      expect(addLatePort(over, 'p1', times)).toEqual({ ...over, ...own, isLate: true });
      const stopped: RequestItem = { ...inFlight, state: 'planned', error: stoppedError };
      expect(addLatePort(stopped, 'p1', times)).toEqual({ ...stopped, ...own, isLate: true });
    });

    test('becomes the port of a request that is about to be sent again, like any other', () => {
      const next = addLatePort({ ...inFlight, state: 'planned' }, 'p1', times);
      expect(next).toMatchObject({ state: 'created', portId: 'p1' });
      expect(next).not.toHaveProperty('isLate');
    });

    test('is a duplicate of a port that was read, and no second time', () => {
      const made: RequestItem = {
        ...inFlight,
        state: 'created',
        portId: 'p1',
        portStatus: 'Created',
        dueAt: undefined,
      };
      const twice = addLatePort(made, 'p2', times) ?? made;
      expect(twice).toEqual({ ...made, duplicatePortIds: ['p2'], ...due });
      expect(addLatePort(twice, 'p2', times)).toBeUndefined();
      expect(addLatePort({ ...made, portStatus: undefined }, 'p2', times)).toBeUndefined();
    });

    test.each(['in-flight', 'unknown', 'action-required'] as const)('is left to others in state %s', (state) => {
      expect(addLatePort({ ...inFlight, state }, 'p1', times)).toBeUndefined();
    });
  });

  test('rows that the service declined by name are distinguished from other excluded rows', () => {
    const named = rowOut(3, 'ROW_REFUSED');
    expect(rowsDeclinedByService(requestItemOf({ excludedRows: [rowOut(2, 'MSISDN_IN_LIVE_IMPORT'), named] }))).toEqual(
      [named],
    );
    expect(rowsDeclinedByService(requestItemOf())).toEqual([]);
  });

  describe('a late id', () => {
    test('is the port of a request with an unknown outcome, whichever attempt created it', () => {
      const unknown: RequestItem = { ...inFlight, state: 'unknown', attempt: 2 };
      expect(heard(unknown, { kind: 'created', portId: 'p1' }, 1)).toMatchObject({ state: 'created', portId: 'p1' });
    });

    test('is stored beside the port of the request', () => {
      const made: RequestItem = { ...inFlight, state: 'created', portId: 'p1', duplicatePortIds: ['p2'] };
      expect(heard(made, { kind: 'created', portId: 'p3' })).toEqual({
        ...made,
        duplicatePortIds: ['p2', 'p3'],
        dueAt: iso(later),
        changedAt: iso(later),
      });
      expect(heard(made, { kind: 'created', portId: 'p2' })).toBeUndefined();
    });

    test('is stored beside a later attempt, whose due time does not change', () => {
      const second: RequestItem = { ...inFlight, attempt: 2 };
      expect(heard(second, { kind: 'created', portId: 'p1' }, 1)).toEqual({
        ...second,
        duplicatePortIds: ['p1'],
        changedAt: iso(later),
      });
    });
  });

  describe('ports that were found by name', () => {
    const unknown: RequestItem = { ...inFlight, state: 'unknown' };

    test('the first is adopted, the others are duplicates', () => {
      expect(adoptPorts(unknown, ['p1', 'p2', 'p1'], later)).toEqual({
        ...unknown,
        state: 'created',
        portId: 'p1',
        duplicatePortIds: ['p2'],
        dueAt: iso(later),
        changedAt: iso(later),
      });
    });

    test('a port that a late answer named is not its own duplicate', () => {
      expect(adoptPorts({ ...unknown, duplicatePortIds: ['p1'] }, ['p1'], later).duplicatePortIds).toBeUndefined();
      expect(adoptPorts({ ...unknown, duplicatePortIds: ['p1', 'p2'] }, ['p1'], later).duplicatePortIds).toEqual([
        'p2',
      ]);
      expect(adoptPorts({ ...unknown, duplicatePortIds: ['p2'] }, ['p1', 'p2'], later).duplicatePortIds).toEqual([
        'p2',
      ]);
      expect(adoptPorts(unknown, ['p1'], later).duplicatePortIds).toBeUndefined();
    });

    test('a request that has a port keeps it', () => {
      const made: RequestItem = { ...unknown, state: 'created', portId: 'p0' };
      expect(adoptPorts(made, ['p1', 'p0', 'p2'], later)).toMatchObject({ portId: 'p0', duplicatePortIds: ['p2'] });
    });
  });
});

// Declines: those after which rows are sent again, and those that are not believed before the port list agrees.
describe('a decline', () => {
  const times = { now: noon + 60_000, quietMs: 30_000 };
  const changedAt = iso(times.now);
  const inLine = iso(times.now + 15 * 60_000);
  const error = { kind: 'rejected', message: 'no' };
  const row = (line: number): ExcludedRow => ({ line, subject: 's', code: 'ROW_REFUSED', message: 'no' });
  const inFlight = requestItemOf({ state: 'in-flight', attempt: 2, lines: '2-3', rowCount: 6 });
  const answered = (item: RequestItem, answer: Answer, attempt = 2) => applyAnswer(item, attempt, answer, times);
  const declined = (details: Partial<Declined> = {}): Answer => ({ kind: 'declined', error, ...details });
  const over = { dueAt: undefined, changedAt, endedAt: changedAt };
  const again = { state: 'planned', dueAt: inLine, changedAt };

  describe('a declined request', () => {
    test('is planned again without the rows that were named', () => {
      expect(answered(inFlight, declined({ named: [row(3)] }))).toEqual({
        ...inFlight,
        ...again,
        excludedRows: [row(3)],
      });
    });

    test('is over', () => {
      expect(answered(inFlight, declined())).toEqual({ ...inFlight, ...over, state: 'declined', error });
    });

    test('is over where its rows are sent again in parts, except those that were named, now or before', () => {
      const sent = { ...inFlight, lines: '2-5', excludedRows: [row(6)] };
      expect(answered(sent, declined({ others: 'in-parts', named: [row(3)] }))).toEqual({
        ...sent,
        ...over,
        state: 'declined',
        error,
        lines: '',
        excludedRows: [row(6), row(3)],
        parts: ['2', '4', '5'],
      });
    });

    test('that waits for the answers to other parts is planned, and is sent once more where anything else happens', () => {
      const waiting = answered(inFlight, declined({ others: 'later' })) ?? inFlight;
      expect(waiting).toEqual({ ...inFlight, ...again, error: { ...error, isUndecided: true } });
      expect(isUndecided(waiting)).toBe(true);
      const others = [stopRequest(waiting, noon), requeueRequest(waiting, error, noon), planAgain(inFlight, noon)];
      expect(others.map(isUndecided)).toEqual([false, false, false]);
    });

    test('takes no ticket any more once its parts count', () => {
      const divided = answered(inFlight, declined({ others: 'in-parts' })) ?? inFlight;
      expect(answered(divided, { kind: 'accepted', ticket: 't1' })).toBeUndefined();
    });
  });

  describe('a doubtful decline', () => {
    test.each([[undefined], [[row(3)]]])(
      'leaves the outcome unknown until the list was searched; named: %j',
      (named) => {
        expect(answered(inFlight, declined({ isDoubtful: true, named }))).toStrictEqual({
          ...inFlight,
          state: 'unknown',
          error,
          search: { for: 'decline', absences: 0, failures: 0, ...(named && { named }) },

          dueAt: iso(times.now + times.quietMs),
          changedAt,
          missingReads: undefined,
          sendOn: undefined,
        });
      },
    );
  });

  test('a request that a person resends while the list is empty is searched again', () => {
    const unknown: RequestItem = { ...inFlight, state: 'action-required', error, missingReads: 2 };
    const resolution: Resolved = { at: changedAt, by: 'ada', what: 'resend' };
    expect(verifyBeforeResend(unknown, resolution, times)).toEqual({
      ...unknown,
      state: 'unknown',
      search: { for: 'resend', absences: 1, failures: 0 },
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
});
