// What the result of a row says in each state of its request and its port.
import { describe, expect, test } from 'vitest';
import {
  adviceForRow,
  blockingLinesOf,
  correctionOf,
  declinedResult,
  duplicateResult,
  excludedResult,
  expiredResult,
  mismatchResult,
  notSentResult,
  plannedResult,
  rejectedResult,
  requestResult,
  rowResult,
  waitingResult,
} from '#shared/outcome/row-result.ts';
import { notInPort } from '#shared/port/port-status.ts';
import { requestStates } from '#shared/request/request.ts';
import { stoppedError } from '#shared/request/request-state.ts';
import { portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';

test('every state of a request has an outcome', () => {
  const outcomes = requestStates.map((state) => requestResult(requestItemOf({ state })).outcome);
  expect(Object.fromEntries(requestStates.map((state, index) => [state, outcomes[index]]))).toEqual({
    planned: 'waiting',
    scheduled: 'scheduled',
    'in-flight': 'in-progress',
    unknown: 'unknown',
    created: 'in-progress',
    accepted: 'accepted',
    declined: 'declined',
    skipped: 'skipped',
    'action-required': 'action-required',
  });
});

test.each(['declined', 'skipped'] as const)('a row of a move that was not made (%s) is not imported again', (state) => {
  const replaces = { importId: 'first', request: 1, portId: 'p' };
  const adviceOf = (item: object) => requestResult(requestItemOf({ state, replaces, ...item })).whatToDo;
  expect(adviceOf({})).toBe('No action needed: the row is still in its port');
  expect(adviceOf({ error: stoppedError })).toBe('No action needed: the row is still in its port');
  expect(adviceOf({ replaces: { ...replaces, cancelledAt: '2026-07-06T09:00:00.000Z' } })).not.toContain('its port');
});

describe('a row of a port', () => {
  const item = (portStatus: string) => requestItemOf({ state: 'created', portId: 'p', portStatus });
  const row = (status: string, message?: string) => ({
    line: 2,
    msisdn: '447700900001',
    status,
    ...(message && { message }),
  });

  test.each([
    ['Complete', 'Submitted', 'complete'],
    ['Complete', 'Cancelled', 'cancelled'],
    ['Cancelled', 'Submitted', 'cancelled'],
    ['Submitted', 'Cancelled', 'cancelled'],
    ['Pac Check Failed', 'PacInvalid', 'action-required'],
    ['Pac Check Failed', 'Amended', 'in-progress'],
    ['Submitted', 'Submitted', 'in-progress'],
    ['Error', 'Submitted', 'action-required'],
    ['Quarantined', 'Whatever', 'in-progress'],
  ])('in %s, itself %s: %s', (port, status, outcome) => {
    expect(rowResult(item(port), row(status), []).outcome).toBe(outcome);
  });

  test('that the network cancelled has the reason and advice', () => {
    expect(rowResult(item('Cancelled'), row('Cancelled', 'wrong account'), [])).toMatchObject({
      message: 'wrong account',
      whatToDo: expect.stringContaining('import the row again'),
    });
  });

  test('that is blocked names the blocking lines', () => {
    const rows = portRowsOf('PacValid', 'PacInvalid', 'CancellationRequested');
    const blocking = blockingLinesOf(item('Pac Check Failed'), rows);
    expect(blocking).toEqual([3, 4]);
    expect(rowResult(item('Pac Check Failed'), row('PacValid'), blocking).message).toBe('Blocked by line 3, 4');
  });
});

test('a decline that names no line is the same for all lines', () => {
  const item = requestItemOf({ state: 'declined', error: { kind: 'rejected', message: 'no' } });
  expect(declinedResult(item, 2)).toEqual(declinedResult(item, 3));
});

// The result of a row: exact texts where a program reads them, and advice in every case.
describe('in every case', () => {
  const empty = {
    portId: '',
    status: '',
    message: '',
    whatToDo: '',
    bookedDate: '',
    submittedAt: '',
    completedAt: '',
  };
  const advice = expect.stringMatching(/\w/);
  const error = { kind: 'rejected', message: 'no such tariff' };

  test('a row that is part of no request', () => {
    expect(rejectedResult(['no PAC', 'no date'])).toEqual({
      ...empty,
      outcome: 'rejected',
      message: 'no PAC; no date',
      whatToDo: expect.stringContaining('rejected.csv'),
    });
    expect(duplicateResult(['on line 2', 'on line 3'])).toEqual({
      ...empty,
      outcome: 'duplicate',
      message: 'on line 2; on line 3',
      whatToDo: expect.stringContaining('the earlier row has the number'),
    });
    expect(expiredResult).toEqual({ ...empty, outcome: 'declined', message: advice, whatToDo: 'Import the row again' });
    expect(waitingResult).toEqual({ ...empty, outcome: 'waiting', whatToDo: advice });
    expect(plannedResult).toEqual({ ...empty, outcome: 'waiting', whatToDo: expect.stringContaining('Approve') });
    expect(notSentResult).toEqual({ ...empty, outcome: 'not-sent', message: advice, whatToDo: advice });
  });

  describe('a row that was excluded from its request', () => {
    const row = { line: 2, subject: '447700900001', message: 'elsewhere' };

    test.each([
      ['MSISDN_IN_LIVE_IMPORT', 'skipped', 'once the other import has finished'],
      ['LINE_NOT_CHANGEABLE', 'skipped', 'if the row is as you want it'],
      ['ROW_REFUSED', 'declined', 'Fix what the message names'],
    ] as const)('with %s is %s, with advice', (code, outcome, whatToDo) => {
      expect(excludedResult({ ...row, code })).toEqual({
        ...empty,
        outcome,
        message: 'elsewhere',
        whatToDo: expect.stringContaining(whatToDo),
      });
    });
  });

  describe('a request whose port rows are not known', () => {
    test.each([
      ['planned', advice],
      ['unknown', advice],
      ['declined', expect.stringContaining('import the row again')],
      ['action-required', expect.stringContaining('then resolve request import-a/1')],
    ] as const)('in state %s has the reason, if there is one', (state, whatToDo) => {
      expect(requestResult(requestItemOf({ state, error }))).toMatchObject({ message: 'no such tariff', whatToDo });
      expect(requestResult(requestItemOf({ state, error: undefined }))).toMatchObject({ message: '', whatToDo });
    });

    test.each([
      ['decline', 'the service declined it'],
      ['own-port', 'whether the service received it'],
      ['answer', 'whether the service received it'],
    ] as const)('of unknown outcome, searched for its %s, shows what is checked', (what, whatToDo) => {
      const item = requestItemOf({ state: 'unknown', search: { for: what, absences: 0, failures: 0 } });
      expect(requestResult(item).whatToDo).toContain(whatToDo);
    });

    test('waits as a part that is sent again, without a finding and without an action', () => {
      const part = requestResult(requestItemOf({ part: '2-3', error }));
      const whatToDo = expect.stringContaining('No action needed: the service declined the call with this row');
      expect(part).toMatchObject({ outcome: 'waiting', message: 'no such tariff', whatToDo });
    });

    test('was declined together with others, where it is a part that was sent and not divided', () => {
      const part = requestItemOf({ state: 'declined', part: '2-4', rowCount: 3, attempt: 1, error });
      const messageOf = (changes: object) => requestResult({ ...part, ...changes }).message;
      expect(messageOf({})).toBe('no such tariff (the service declined 3 rows together, and named none)');
      const alone = [{ rowCount: 1 }, { attempt: 0 }, { part: undefined }, { error: { ...error, lines: [2] } }];
      expect(alone.map(messageOf)).toEqual(alone.map(() => 'no such tariff'));
    });

    test('that is in flight is being submitted', () => {
      expect(requestResult(requestItemOf({ state: 'in-flight' })).message).toBe('Being submitted');
    });

    test('that created a port has the port id, and the status once it is read', () => {
      const known = requestItemOf({ state: 'created', portId: 'p1', portStatus: 'Locked' });
      expect(requestResult(known)).toEqual({ ...empty, outcome: 'in-progress', portId: 'p1', status: 'Locked' });
      const unread = requestItemOf({ state: 'created', portId: undefined, portStatus: undefined });
      expect(requestResult(unread)).toEqual({ ...empty, outcome: 'in-progress' });
    });

    test('that was accepted has its ticket or the port that it changed, and the note', () => {
      const accepted = requestItemOf({ state: 'accepted', note: 'two rows were done already' });
      expect(requestResult({ ...accepted, ticket: 't1' })).toMatchObject({ portId: 't1', message: accepted.note });
      expect(requestResult({ ...accepted, changedPortId: 'p1' })).toMatchObject({ portId: 'p1' });
      expect(requestResult({ ...accepted, note: undefined })).toEqual({ ...empty, outcome: 'accepted' });
    });
  });

  describe('a declined request', () => {
    const item = requestItemOf({ state: 'declined', error: { ...error, lines: [3, 5] } });

    test('gives the reason to the named lines, and names those lines to the others', () => {
      expect(declinedResult(item, 3)).toEqual(requestResult(item));
      expect(declinedResult(item, 2)).toEqual({
        ...empty,
        outcome: 'declined',
        message: expect.stringContaining('together with line 3, 5:'),
        whatToDo: 'Import the row again',
      });
    });

    test('has one result for all rows where no line is named, and in every other state', () => {
      const unnamed = requestItemOf({ state: 'declined', error });
      expect(declinedResult(unnamed, 2)).toEqual(requestResult(unnamed));
      expect(declinedResult(requestItemOf({ state: 'declined' }), 2).message).toBe('');
      const unknown = { ...item, state: 'unknown' as const };
      expect(declinedResult(unknown, 2)).toEqual(requestResult(unknown));
    });
  });

  describe('a row of a port', () => {
    const item = (portStatus: string) => requestItemOf({ state: 'created', portId: 'p1', portStatus });
    const row = (status: string, message?: string) => ({
      line: 2,
      msisdn: '447700900001',
      status,
      ...(message && { message }),
    });
    const ofPort = (parts: object) => ({ ...empty, portId: 'p1', ...parts });

    test('of a complete port has the status of the port', () => {
      expect(rowResult(item('Complete'), row('Submitted'), [])).toEqual(
        ofPort({ outcome: 'complete', status: 'Complete' }),
      );
    });

    test('that is not in its port needs the service operator', () => {
      expect(rowResult(item('Submitted'), row(notInPort), [])).toEqual(
        ofPort({
          outcome: 'action-required',
          status: notInPort,
          whatToDo: expect.stringContaining('service operator'),
        }),
      );
    });

    test('with an invalid PAC has advice and the correction file that fixes it', () => {
      const result = rowResult(item('Pac Check Failed'), row('PacInvalid'), [2]);
      expect(result).toEqual(ofPort({ outcome: 'action-required', status: 'PacInvalid', whatToDo: advice }));
      expect(correctionOf(result, 'create-port')).toBe('update-port');
    });

    test('that is checked again has its own status', () => {
      expect(rowResult(item('Pac Check Failed'), row('Amended'), [2])).toEqual(
        ofPort({ outcome: 'in-progress', status: 'Amended', message: 'The service is checking the row again' }),
      );
    });

    test('of a port that needs action, blocked by no row, has the advice of the port', () => {
      expect(rowResult(item('Error'), row('Submitted'), [])).toEqual(
        ofPort({ outcome: 'action-required', status: 'Error', whatToDo: advice }),
      );
      expect(rowResult(item('Pac Check Failed'), row('PacValid'), [3]).outcome).toBe('in-progress');
    });

    test('in progress has the message of the service, or up to five blocking lines', () => {
      expect(rowResult(item('Submitted'), row('Submitted'), [])).toEqual(
        ofPort({ outcome: 'in-progress', status: 'Submitted' }),
      );
      expect(rowResult(item('Submitted'), row('Submitted', 'slow'), [3]).message).toBe('slow');
      expect(rowResult(item('Submitted'), row('PacValid'), [3, 4, 5, 6, 7]).message).toBe(
        'Blocked by line 3, 4, 5, 6, 7',
      );
      expect(rowResult(item('Submitted'), row('PacValid'), [3, 4, 5, 6, 7, 8]).message).toMatch(/3, 4, 5, 6, 7, …$/);
    });

    test('that was never read has the status of its port', () => {
      const unread = requestItemOf({ state: 'created', portId: undefined, portStatus: undefined });
      expect(rowResult(unread, row(''), [])).toEqual({ ...empty, outcome: 'in-progress' });
    });

    test('of a cancelled port is cancelled, keeps its status, and has no advice without a reason', () => {
      expect(rowResult(item('Cancelled'), row('Submitted'), [])).toEqual(
        ofPort({ outcome: 'cancelled', status: 'Submitted' }),
      );
      expect(rowResult(item('Cancelled'), row(''), [])).toEqual(ofPort({ outcome: 'cancelled', status: 'Cancelled' }));
    });

    test('of a port that was cancelled as a whole names the rows with a reason', () => {
      const rejected = { line: 3, msisdn: '447700900002', status: 'Cancelled', message: 'no such account' };
      const lines = blockingLinesOf(item('Cancelled'), [row('Cancelled'), rejected]);
      expect(lines).toEqual([3]);
      expect(rowResult(item('Cancelled'), row('Cancelled'), lines)).toMatchObject({
        outcome: 'cancelled',
        message: 'The port was cancelled as a whole. A reason is shown for line 3',
        whatToDo: 'Fix what the message names and import the row again',
      });
      expect(rowResult(item('Submitted'), row('Cancelled'), [3]).message).toBe('');
      expect(blockingLinesOf(item('Complete'), [row('Complete', 'late'), rejected])).toEqual([]);
    });

    test('that was removed from its port has a correction file, and other cancelled rows have none', () => {
      const removed = { ...item('Submitted'), removedRows: '2,4' };
      const result = rowResult(removed, row('Cancelled'), []);
      const whatToDo = expect.stringContaining('correct-create-port.csv');
      expect(result).toEqual(ofPort({ outcome: 'cancelled', status: 'Cancelled', whatToDo, isRemoved: true }));
      expect(correctionOf(result, 'create-port')).toBe('create-port');
      expect(correctionOf(rowResult(removed, { ...row('Cancelled'), line: 3 }, []), 'create-port')).toBeNull();
    });
  });

  describe('the lines that block a port', () => {
    const blocking = (portStatus: string | undefined, ...statuses: string[]) =>
      blockingLinesOf(requestItemOf({ state: 'created', portStatus }), portRowsOf(...statuses));

    test('are its invalid rows, before it is Locked and while a ready row waits', () => {
      expect(blocking('Pac Check Failed', 'PacValid', 'PacInvalid')).toEqual([3]);
      expect(blocking('Pac Check Failed', 'PacInvalid', 'Amended')).toEqual([]);
      expect(blocking('Locked', 'PacValid', 'PacInvalid')).toEqual([]);
      expect(blocking(undefined, 'PacValid', 'PacInvalid')).toEqual([]);
    });

    test('do not include rows whose status is not known yet', () => {
      expect(blocking('Created', 'PacValid', '', 'PacInvalid')).toEqual([4]);
    });
  });

  test('mismatched services are appended to the message', () => {
    const complete = { ...empty, outcome: 'complete' as const, portId: 'p1' };
    const services = [{ name: 'Roaming', type: 'Service', requested: 'true', actual: 'false' }];
    const sim = { line: 2, msisdn: '447700900001', serialNumber: '8944110065123456783', services };
    const alone = mismatchResult(complete, sim);
    expect(alone).toEqual({
      ...complete,
      message: expect.stringMatching(/^Roaming is .* instead of on/),
      whatToDo: expect.stringContaining('mismatches-bar-service-config.csv'),
    });
    expect(mismatchResult({ ...complete, message: 'late' }, sim).message).toBe(`late; ${alone.message}`);
  });

  test('the advice for a number is that of its status', () => {
    expect(adviceForRow(notInPort)).toContain('the port does not contain it');
    expect(adviceForRow('PacInvalid')).toContain('Get a new PAC');
    expect(adviceForRow('PacValid')).toBe('');
  });
});
