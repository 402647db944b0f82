// What is told of a line, word for word where a program reads it, and that every case says what to do.
import { describe, expect, test } from 'vitest';
import {
  driftedResult,
  holdersOf,
  notSentResult,
  plannedResult,
  refusedResult,
  rejectedResult,
  requestResult,
  rowResult,
  waitingResult,
  withdrawnResult,
} from '#shared/domain/outcome.ts';
import { notInPort } from '#shared/domain/port-look.ts';
import { portRowsOf, requestItemOf } from '../../support/results-ledger.ts';

const silent = { portId: '', status: '', message: '', whatToDo: '' };
const advice = expect.stringMatching(/\w/);
const error = { kind: 'rejected', message: 'no such tariff' };

test('a row that never was in a request', () => {
  expect(rejectedResult(['no PAC', 'no date'])).toEqual({
    ...silent,
    outcome: 'rejected',
    message: 'no PAC; no date',
    whatToDo: expect.stringContaining('rejected.csv'),
  });
  expect(waitingResult).toEqual({ ...silent, outcome: 'waiting', whatToDo: advice });
  expect(plannedResult).toEqual({ ...silent, outcome: 'waiting', whatToDo: expect.stringContaining('approve') });
  expect(notSentResult).toEqual({ ...silent, outcome: 'not-sent', message: advice, whatToDo: advice });
});

describe('a row that was taken out of its request', () => {
  const row = { line: 2, subject: '447700900001', message: 'elsewhere' };

  test.each([
    ['MSISDN_IN_LIVE_IMPORT', 'withdrawn', 'once that import has ended'],
    ['LINE_NOT_CHANGEABLE', 'withdrawn', 'where the line is as you want it'],
    ['ROW_REFUSED', 'refused', 'mend what the message says'],
  ] as const)('by %s is %s, and says what to do', (code, outcome, whatToDo) => {
    expect(withdrawnResult({ ...row, code })).toEqual({
      ...silent,
      outcome,
      message: 'elsewhere',
      whatToDo: expect.stringContaining(whatToDo),
    });
  });
});

describe('a request of whose rows nothing is known', () => {
  test.each([
    ['planned', advice],
    ['unknown', advice],
    ['refused', expect.stringContaining('drop the row again')],
    ['needs-human', expect.stringContaining('then decide: simporter decide import-a/1')],
  ] as const)('that is %s repeats the reason where there is one', (state, whatToDo) => {
    expect(requestResult(requestItemOf({ state, error }))).toMatchObject({ message: 'no such tariff', whatToDo });
    expect(requestResult(requestItemOf({ state, error: undefined }))).toMatchObject({ message: '', whatToDo });
  });

  test('that is being sent says so', () => {
    expect(requestResult(requestItemOf({ state: 'in-flight' })).message).toBe('being sent');
  });

  test('that made a port names it, and its status once that was read', () => {
    const known = requestItemOf({ state: 'created', portId: 'p1', portStatus: 'Locked' });
    expect(requestResult(known)).toEqual({ ...silent, outcome: 'in-progress', portId: 'p1', status: 'Locked' });
    const unread = requestItemOf({ state: 'created', portId: undefined, portStatus: undefined });
    expect(requestResult(unread)).toEqual({ ...silent, outcome: 'in-progress' });
  });

  test('that was accepted names its ticket, or the port that it changed, and the note', () => {
    const accepted = requestItemOf({ state: 'accepted', note: 'two lines were so already' });
    expect(requestResult({ ...accepted, ticket: 't1' })).toMatchObject({ portId: 't1', message: accepted.note });
    expect(requestResult({ ...accepted, changedPortId: 'p1' })).toMatchObject({ portId: 'p1' });
    expect(requestResult({ ...accepted, note: undefined })).toEqual({ ...silent, outcome: 'accepted' });
  });
});

describe('a refused request', () => {
  const item = requestItemOf({ state: 'refused', error: { ...error, lines: [3, 5] } });

  test('tells the reason to the lines that were named, and the others with whom they were refused', () => {
    expect(refusedResult(item, 3)).toEqual(requestResult(item));
    expect(refusedResult(item, 2)).toEqual({
      ...silent,
      outcome: 'refused',
      message: expect.stringContaining('together with line 3, 5:'),
      whatToDo: 'drop the row again',
    });
  });

  test('is the same for all where no line was named, and where it is not refused after all', () => {
    const unnamed = requestItemOf({ state: 'refused', error });
    expect(refusedResult(unnamed, 2)).toEqual(requestResult(unnamed));
    expect(refusedResult(requestItemOf({ state: 'refused' }), 2).message).toBe('');
    const unknown = { ...item, state: 'unknown' as const };
    expect(refusedResult(unknown, 2)).toEqual(requestResult(unknown));
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
  const ofPort = (parts: object) => ({ ...silent, portId: 'p1', ...parts });

  test('that came to its end has the status of the port', () => {
    expect(rowResult(item('Complete'), row('Submitted'), [])).toEqual(
      ofPort({ outcome: 'complete', status: 'Complete' }),
    );
  });

  test('that the port does not hold is for the operator of the service', () => {
    expect(rowResult(item('Submitted'), row(notInPort), [])).toEqual(
      ofPort({
        outcome: 'attention',
        status: notInPort,
        whatToDo: expect.stringContaining('service operator'),
      }),
    );
  });

  test('with a bad PAC says what to do, and which file mends it', () => {
    expect(rowResult(item('Pac Check Failed'), row('PacInvalid'), [2])).toEqual(
      ofPort({ outcome: 'attention', status: 'PacInvalid', whatToDo: advice, mendedBy: 'update-port' }),
    );
  });

  test('that is being checked again has its own status', () => {
    expect(rowResult(item('Pac Check Failed'), row('Amended'), [2])).toEqual(
      ofPort({ outcome: 'in-progress', status: 'Amended', message: 're-checking' }),
    );
  });

  test('of a port that needs somebody, held by no other, says what to do about the port', () => {
    expect(rowResult(item('Error'), row('Submitted'), [])).toEqual(
      ofPort({ outcome: 'attention', status: 'Error', whatToDo: advice }),
    );
    expect(rowResult(item('Pac Check Failed'), row('PacValid'), [3]).outcome).toBe('in-progress');
  });

  test('that goes on says nothing but what the service said, and names five of its holders', () => {
    expect(rowResult(item('Submitted'), row('Submitted'), [])).toEqual(
      ofPort({ outcome: 'in-progress', status: 'Submitted' }),
    );
    expect(rowResult(item('Submitted'), row('Submitted', 'slow'), [3]).message).toBe('slow');
    expect(rowResult(item('Submitted'), row('PacValid'), [3, 4, 5, 6, 7]).message).toBe('held by line 3, 4, 5, 6, 7');
    expect(rowResult(item('Submitted'), row('PacValid'), [3, 4, 5, 6, 7, 8]).message).toMatch(/3, 4, 5, 6, 7, …$/);
  });

  test('that was never read is in the status of its port', () => {
    const unread = requestItemOf({ state: 'created', portId: undefined, portStatus: undefined });
    expect(rowResult(unread, row(''), [])).toEqual({ ...silent, outcome: 'in-progress' });
  });

  test('of a cancelled port was cancelled, with the status it had and nothing to do without a reason', () => {
    expect(rowResult(item('Cancelled'), row('Submitted'), [])).toEqual(
      ofPort({ outcome: 'cancelled', status: 'Submitted' }),
    );
    expect(rowResult(item('Cancelled'), row(''), [])).toEqual(ofPort({ outcome: 'cancelled', status: 'Cancelled' }));
  });

  test('that was taken out of its port is mended by dropping it anew, and only that one', () => {
    const evicted = { ...item('Submitted'), evicted: '2,4' };
    expect(rowResult(evicted, row('Cancelled'), [])).toEqual(
      ofPort({
        outcome: 'cancelled',
        status: 'Cancelled',
        whatToDo: expect.stringContaining('correct-create-port.csv'),
        mendedBy: 'create-port',
      }),
    );
    expect(rowResult(evicted, { ...row('Cancelled'), line: 3 }, [])).not.toHaveProperty('mendedBy');
  });
});

describe('who holds a port', () => {
  const holders = (portStatus: string | undefined, ...statuses: string[]) =>
    holdersOf(requestItemOf({ state: 'created', portStatus }), portRowsOf(...statuses));

  test('are its bad rows, before it is Locked and while a good one waits', () => {
    expect(holders('Pac Check Failed', 'PacValid', 'PacInvalid')).toEqual([3]);
    expect(holders('Pac Check Failed', 'PacInvalid', 'Amended')).toEqual([]);
    expect(holders('Locked', 'PacValid', 'PacInvalid')).toEqual([]);
    expect(holders(undefined, 'PacValid', 'PacInvalid')).toEqual([]);
  });

  test('are no rows whose status was not read yet', () => {
    expect(holders('Created', 'PacValid', '', 'PacInvalid')).toEqual([4]);
  });
});

test('services that differ stand behind what was said already', () => {
  const complete = { ...silent, outcome: 'complete' as const, portId: 'p1' };
  const services = [{ name: 'Roaming', type: 'Service', asked: 'true', set: 'false' }];
  const sim = { line: 2, msisdn: '447700900001', serialNumber: '8944110065123456783', services };
  const alone = driftedResult(complete, sim);
  expect(alone).toEqual({
    ...complete,
    message: expect.stringMatching(/^Roaming is .*, asked was/),
    whatToDo: expect.stringContaining('drift-bar-service-config.csv'),
  });
  expect(driftedResult({ ...complete, message: 'late' }, sim).message).toBe(`late; ${alone.message}`);
});
