import { describe, expect, test } from 'vitest';
import { blockingLinesOf, declinedResult, requestResult, rowResult } from '#shared/outcome/row-result.ts';
import { requestStates } from '#shared/request/request.ts';
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
