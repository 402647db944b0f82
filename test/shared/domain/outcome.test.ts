import { describe, expect, test } from 'vitest';
import { requestStates } from '#shared/domain/ledger.ts';
import { holdersOf, refusedResult, requestResult, rowResult } from '#shared/domain/outcome.ts';
import { portRowsOf, requestItemOf } from '../../support/results-ledger.ts';

test('every state of a request has an outcome', () => {
  const outcomes = requestStates.map((state) => requestResult(requestItemOf({ state })).outcome);
  expect(Object.fromEntries(requestStates.map((state, index) => [state, outcomes[index]]))).toEqual({
    planned: 'waiting',
    'in-flight': 'in-progress',
    unknown: 'unknown',
    created: 'in-progress',
    accepted: 'accepted',
    refused: 'refused',
    withdrawn: 'withdrawn',
    'needs-human': 'attention',
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
    ['Pac Check Failed', 'PacInvalid', 'attention'],
    ['Pac Check Failed', 'Amended', 'in-progress'],
    ['Submitted', 'Submitted', 'in-progress'],
    ['Error', 'Submitted', 'attention'],
    ['Quarantined', 'Whatever', 'in-progress'],
  ])('in %s, itself %s: %s', (port, status, outcome) => {
    expect(rowResult(item(port), row(status), []).outcome).toBe(outcome);
  });

  test('that the network cancelled says why and what to do', () => {
    expect(rowResult(item('Cancelled'), row('Cancelled', 'wrong account'), [])).toMatchObject({
      message: 'wrong account',
      whatToDo: expect.stringContaining('drop the row again'),
    });
  });

  test('that is held says by which lines', () => {
    const rows = portRowsOf('PacValid', 'PacInvalid', 'CancellationRequested');
    const holders = holdersOf(item('Pac Check Failed'), rows);
    expect(holders).toEqual([3, 4]);
    expect(rowResult(item('Pac Check Failed'), row('PacValid'), holders).message).toBe('held by line 3, 4');
  });
});

test('a refusal that names no line is the same for all', () => {
  const item = requestItemOf({ state: 'refused', error: { kind: 'rejected', message: 'no' } });
  expect(refusedResult(item, 2)).toEqual(refusedResult(item, 3));
});
