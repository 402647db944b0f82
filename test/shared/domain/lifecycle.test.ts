import { describe, expect, test } from 'vitest';
import { hostages } from '#shared/domain/hostages.ts';
import { normaliseStatus, portStatus, rowStatus } from '#shared/domain/lifecycle.ts';

const specStatuses = [
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

const where = (trait: 'terminal' | 'beforeLocked' | 'attention' | 'rowsMayMove') =>
  specStatuses.filter((name) => portStatus(name)[trait]).sort();

describe('port statuses', () => {
  test.each(specStatuses)('%s is known', (name) => {
    expect(portStatus(name)).toMatchObject({ known: true, label: name });
  });

  test.each(['PacCheckFailed', 'pac check failed', 'PAC_CHECK_FAILED', ' Pac-Check Failed '])(
    '%j is one status',
    (name) => {
      expect(portStatus(name)).toBe(portStatus('Pac Check Failed'));
      expect(normaliseStatus(name)).toBe('paccheckfailed');
    },
  );

  test('Complete and Cancelled are the ends', () => {
    expect(where('terminal')).toEqual(['Cancelled', 'Complete']);
  });

  test('five statuses are before Locked (decision 28)', () => {
    expect(where('beforeLocked')).toEqual([
      'Created',
      'Network Rejected',
      'Network Validating',
      'Pac Check Failed',
      'Submitted',
    ]);
  });

  test('rows move in them as long as the port is not with the network', () => {
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

  test('what needs somebody says what to do', () => {
    expect(where('attention')).toEqual(['Error', 'Network Rejected', 'Pac Check Failed', 'SubmittedWithErrors']);
    for (const name of specStatuses) expect(portStatus(name).advice !== '').toBe(portStatus(name).attention);
  });

  test.each(['Paused by Network', '', 'constructor', '__proto__'])(
    'the unknown %j is kept raw, never an end, never a failure',
    (name) => {
      expect(portStatus(name)).toEqual({
        key: normaliseStatus(name),
        label: name,
        known: false,
        terminal: false,
        beforeLocked: false,
        attention: false,
        rowsMayMove: true,
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
  ])('%s: blocks the gate %s, needs attention %s', (name, blocksGate, attention) => {
    expect(rowStatus(name)).toMatchObject({ blocksGate, attention });
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
  const rowsWhere = (trait: 'known' | 'terminal' | 'amendable') => known.filter((name) => rowStatus(name)[trait]);

  test('a new PAC mends a bad one, and only a cancelled row has come to its end', () => {
    expect(rowsWhere('known')).toEqual(known);
    expect(rowsWhere('amendable')).toEqual(['PacInvalid', 'PacInvalidDate']);
    expect(rowsWhere('terminal')).toEqual(['Cancelled']);
  });

  test('what needs somebody says what to do, and nothing else does', () => {
    for (const name of known) expect(rowStatus(name).advice !== '').toBe(rowStatus(name).attention);
  });

  test('an unknown one holds the gate, and nothing else is said of it', () => {
    expect(rowStatus('Something New')).toEqual({
      key: 'somethingnew',
      label: 'Something New',
      known: false,
      blocksGate: true,
      attention: false,
      amendable: false,
      rechecking: false,
      terminal: false,
      advice: '',
    });
  });

  test('amended and cancelling rows are being checked again', () => {
    expect([rowStatus('Amended'), rowStatus('Cancellation Requested')].map(({ rechecking }) => rechecking)).toEqual([
      true,
      true,
    ]);
  });
});

describe('hostages', () => {
  const rows = (...statusNames: string[]) =>
    statusNames.map((statusName, index) => ({ msisdn: `${index}`, statusName }));

  test('good lines are held by every bad one', () => {
    expect(hostages(rows('PacValid', 'PacInvalid', 'PacValid', 'Cancelled', 'Amended'))).toEqual({
      held: ['0', '2'],
      holders: ['1', '4'],
      rechecking: ['4'],
      summary: '2 good lines held by 2 bad ones',
    });
  });

  test('one holds one', () => {
    expect(hostages(rows('PacValid', 'Pac Invalid Date')).summary).toBe('1 good line held by 1 bad one');
  });

  test.each([
    [['PacValid', 'PacValid', 'Cancelled']],
    [['PacInvalid', 'Cancelled']],
    [['Submitted', 'CancellationRequested']],
    [[]],
  ])('nobody is held among %j', (statusNames) => {
    expect(hostages(rows(...statusNames))).toMatchObject({ held: [], holders: [], summary: '' });
  });
});
