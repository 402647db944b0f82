import { describe, expect, test } from 'vitest';
import {
  blockedBy,
  blockedRows,
  type CancelRule,
  isBeforeLocked,
  isBlocked,
  normaliseStatus,
  pollRules,
  portStatus,
  rowStatus,
  shownRowStatus,
} from '#shared/port/port-status.ts';

const knownStatuses = [
  'Created',
  'Network Validating',
  'Network Rejected',
  'Pac Check Failed',
  'Cancelled',
  'Submitted',
  'Locked',
  'Ported',
  'Awaiting Serial',
  'Create RA',
  'Awaiting RA',
  'Create Configuration',
  'Awaiting Configuration',
  'Complete',
  'SubmittedWithErrors',
  'Error',
];

const where = (trait: 'terminal' | 'actionRequired' | 'rowsMayMove' | 'anyRowCancellable') =>
  knownStatuses.filter((name) => portStatus(name)[trait]).sort();
const cancelWhere = (rule: CancelRule) => knownStatuses.filter((name) => portStatus(name).cancel === rule).sort();

describe('port statuses', () => {
  test.each(knownStatuses)('%s is known', (name) => {
    expect(portStatus(name)).toMatchObject({ known: true, label: name });
  });

  test.each(['PacCheckFailed', 'pac check failed', 'PAC_CHECK_FAILED', ' Pac-Check Failed '])(
    '%j is the same status',
    (name) => {
      expect(portStatus(name)).toBe(portStatus('Pac Check Failed'));
      expect(normaliseStatus(name)).toBe('paccheckfailed');
    },
  );

  test('Complete and Cancelled are terminal', () => {
    expect(where('terminal')).toEqual(['Cancelled', 'Complete']);
  });

  test('five statuses are before Locked and allow a cancellation (spec gap 28)', () => {
    const beforeLocked = ['Created', 'Network Rejected', 'Network Validating', 'Pac Check Failed', 'Submitted'];
    expect(knownStatuses.filter(isBeforeLocked).sort()).toEqual(beforeLocked);
    expect(cancelWhere('allowed')).toEqual(beforeLocked);
  });

  test('in error states and Awaiting Serial the service decides about a cancellation (spec gap 28)', () => {
    expect(cancelWhere('try')).toEqual(['Awaiting Serial', 'Error', 'SubmittedWithErrors']);
    expect(cancelWhere('done')).toEqual(['Cancelled']);
  });

  test('only a network rejection lets every row be cancelled', () => {
    expect(where('anyRowCancellable')).toEqual(['Network Rejected']);
  });

  test('rows can change as long as the port is not Locked, and in error states', () => {
    expect(where('rowsMayMove')).toEqual([
      'Awaiting Serial',
      'Created',
      'Error',
      'Network Rejected',
      'Network Validating',
      'Pac Check Failed',
      'Submitted',
      'SubmittedWithErrors',
    ]);
  });

  test('a status has advice exactly where action is required', () => {
    expect(where('actionRequired')).toEqual(['Error', 'Network Rejected', 'Pac Check Failed', 'SubmittedWithErrors']);
    for (const name of knownStatuses) expect(portStatus(name).advice !== '').toBe(portStatus(name).actionRequired);
  });

  test.each(['Paused by Network', '', 'constructor', '__proto__'])(
    'the unknown %j is kept raw, is never terminal and never a failure',
    (name) => {
      expect(portStatus(name)).toEqual({
        label: name,
        known: false,
        cancel: 'try',
        poll: pollRules.unspecified,
        terminal: false,
        actionRequired: false,
        rowsMayMove: true,
        anyRowCancellable: false,
        advice: '',
      });
    },
  );
});

describe('row statuses', () => {
  test.each([
    ['PacInvalid', true, true],
    ['PacInvalidDate', true, true],
    ['PacValid', false, false],
    ['Submitted', false, false],
    ['Cancelled', false, false],
    ['Amended', true, false],
    ['CancellationRequested', true, false],
    ['Something New', true, false],
  ])('%s: blocks the gate %s, action required %s', (name, blocksGate, actionRequired) => {
    expect(rowStatus(name)).toMatchObject({ blocksGate, actionRequired });
  });

  const known = [
    'PacInvalid',
    'PacInvalidDate',
    'PacValid',
    'Submitted',
    'Cancelled',
    'Amended',
    'CancellationRequested',
  ];
  const rowsWhere = (trait: 'known' | 'terminal') => known.filter((name) => rowStatus(name)[trait]);

  test('only rows with an invalid PAC take a new one, and only a cancelled row is terminal', () => {
    expect(rowsWhere('known')).toEqual(known);
    expect(known.filter((name) => rowStatus(name).amend === 'allowed')).toEqual(['PacInvalid', 'PacInvalidDate']);
    expect(rowsWhere('terminal')).toEqual(['Cancelled']);
  });

  test('a row status has advice exactly where action is required', () => {
    for (const name of known) expect(rowStatus(name).advice !== '').toBe(rowStatus(name).actionRequired);
  });

  test('an unknown row status blocks the gate, and the service decides about changes', () => {
    expect(rowStatus('Something New')).toEqual({
      label: 'Something New',
      known: false,
      cancel: 'try',
      amend: 'try',
      blocksGate: true,
      actionRequired: false,
      beingRechecked: false,
      terminal: false,
      advice: '',
    });
  });

  test('amended rows and rows with a requested cancellation are being checked again', () => {
    expect(
      [rowStatus('Amended'), rowStatus('Cancellation Requested')].map(({ beingRechecked }) => beingRechecked),
    ).toEqual([true, true]);
  });
});

test.each([
  ['in-progress', `${blockedBy} line 3`, true],
  ['in-progress', 'The service is checking the row again', false],
  ['in-progress', null, false],
  ['cancelled', `${blockedBy} line 3`, false],
])('a row that is %s with the message "%s" is blocked: %s', (outcome, message, expected) => {
  expect(isBlocked({ outcome, message })).toBe(expected);
});

describe('blockedRows', () => {
  const rows = (...statusNames: string[]) =>
    statusNames.map((statusName, index) => ({ msisdn: `${index}`, statusName }));

  test('every blocking row blocks every ready row', () => {
    expect(blockedRows(rows('PacValid', 'PacInvalid', 'PacValid', 'Cancelled', 'Amended'))).toEqual({
      blocked: ['0', '2'],
      blocking: ['1', '4'],
      beingRechecked: ['4'],
      summary: '2 rows block 2 ready rows',
    });
  });

  test('one row blocks one row', () => {
    expect(blockedRows(rows('PacValid', 'Pac Invalid Date')).summary).toBe('1 row blocks 1 ready row');
  });

  test.each([
    [['PacValid', 'PacValid', 'Cancelled']],
    [['PacInvalid', 'Cancelled']],
    [['Submitted', 'CancellationRequested']],
    [[]],
  ])('no row is blocked among %j', (statusNames) => {
    expect(blockedRows(rows(...statusNames))).toMatchObject({ blocked: [], blocking: [], summary: '' });
  });
});

test('people see a row of a complete port as complete, unless the row itself has ended', () => {
  expect(shownRowStatus('Submitted', 'Complete')).toBe('Complete');
  expect(shownRowStatus('Cancelled', 'Complete')).toBe('Cancelled');
  expect(shownRowStatus('Submitted', 'Locked')).toBe('Submitted');
});
