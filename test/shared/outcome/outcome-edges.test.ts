// The result of a row: exact texts where a program reads them, and advice in every case.
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
  waitingPartResult,
  waitingResult,
} from '#shared/outcome/row-result.ts';
import { notInPort } from '#shared/port/port-status.ts';
import { portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';

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
    ['port-id', 'whether the service received it'],
  ] as const)('of unknown outcome after the answer %s shows what is checked', (answer, whatToDo) => {
    const item = requestItemOf({ state: 'unknown', unverified: { answer, absences: 0 } });
    expect(requestResult(item).whatToDo).toContain(whatToDo);
  });

  test('waits as a part that was not sent, and is declined with its request', () => {
    const parts = requestItemOf({ state: 'accepted', error });
    expect(waitingPartResult(parts)).toEqual(waitingResult);
    const ended = { ...parts, endedAt: '2026-07-01T09:00:00.000Z' };
    expect(waitingPartResult(ended)).toEqual(requestResult({ ...ended, state: 'declined' }));
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

  test('of a port that the network rejected names the rows that it rejected', () => {
    const rejected = { line: 3, msisdn: '447700900002', status: 'Cancelled', message: 'no such account' };
    const lines = blockingLinesOf(item('Cancelled'), [row('Cancelled'), rejected]);
    expect(lines).toEqual([3]);
    expect(rowResult(item('Cancelled'), row('Cancelled'), lines)).toMatchObject({
      outcome: 'cancelled',
      message: 'Cancelled together with line 3, which the network rejected',
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
