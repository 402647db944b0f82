// Which changes each status allows, and that a change that was made is never requested again.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChangeCommand,
  checkAmend,
  checkPortCancel,
  checkRowCancel,
  isBeingCancelled,
  type PortRowReading,
  planChange,
} from '#shared/port/port-change.ts';

describe('the whole port', () => {
  test.each([
    'Created',
    'Network Validating',
    'Network Rejected',
    'Pac Check Failed',
    'PacCheckFailed',
    'Submitted',
    'Awaiting Serial',
    'SubmittedWithErrors',
    'Error',
    'Something New',
  ])('can be cancelled when %s', (status) => {
    expect(checkPortCancel(status)).toBe('due');
  });
  test.each([
    'Locked',
    'Ported',
    'Create RA',
    'Awaiting RA',
    'Create Configuration',
    'Awaiting Configuration',
    'Complete',
  ])('cannot when %s', (status) => {
    expect(checkPortCancel(status)).toEqual({
      impossible: `The port is ${status} and can no longer be cancelled`,
    });
  });
  test('is cancelled when Cancelled', () => {
    expect(checkPortCancel('Cancelled')).toBe('done');
  });
});

test('a port is being cancelled once every row is cancelled or its cancellation is requested', () => {
  const rows = (...statusNames: string[]) => ({ rows: statusNames.map((statusName) => ({ statusName })) });
  expect(isBeingCancelled(rows('Cancelled', 'CancellationRequested'))).toBe(true);
  expect(isBeingCancelled(rows('Cancelled', 'Submitted'))).toBe(false);
});

describe('a port that the service shows without its rows', () => {
  const port = { statusName: 'Submitted', rows: new Map() };
  const cancel = (numbers: readonly string[]) =>
    planChange(
      {
        action: 'cancel',
        whole: numbers.length === 0,
        mayBeMade: true,
        pacs: new Map(numbers.map((each) => [each, null])),
      },
      port,
    );

  test('is not being cancelled, and is cancelled as a whole', () => {
    expect(isBeingCancelled({ rows: [] })).toBe(false);
    expect(cancel([])).toMatchObject({ call: 'cancel-port', numbers: new Set() });
  });

  test('is not cancelled because of one number', () => {
    const rejected = new Map([['447700900001', 'The port does not contain this number']]);
    expect(cancel(['447700900001'])).toMatchObject({ call: 'nothing', rejected });
  });
});

describe('one row of several', () => {
  test.each([
    ['Pac Check Failed', 'PacInvalid', 'due'],
    ['Pac Check Failed', 'PacInvalidDate', 'due'],
    ['Pac Check Failed', 'PacValid', /The row is PacValid/],
    ['Pac Check Failed', 'Amended', /Wait for its next status, or cancel the whole port/],
    ['Pac Check Failed', 'Something New', 'due'],
    ['Network Rejected', 'PacValid', 'due'],
    ['Submitted', 'Submitted', 'due'],
    ['Locked', 'Submitted', /The port is Locked/],
    ['Submitted', 'CancellationRequested', 'done'],
    ['Locked', 'Cancelled', 'done'],
    ['Cancelled', 'Submitted', 'done'],
  ] as const)('in a port that is %s, a row that is %s: %s', (port, statusName, expected) => {
    const check = checkRowCancel(port, { statusName });
    if (typeof expected === 'string') expect(check).toBe(expected);
    else expect(check).toEqual({ impossible: expect.stringMatching(expected) });
  });

  test.each([
    ['PacInvalid', 'ABC111111', 'due'],
    ['PacInvalidDate', null, 'due'],
    ['Something New', 'ABC111111', 'due'],
    ['Amended', 'abc 222-222', 'done'],
    ['PacValid', 'ABC222222', 'done'],
    ['Submitted', 'ABC222222', 'done'],
    ['PacInvalid', 'ABC222222', /this same PAC/],
    ['PacValid', 'ABC111111', /only PacInvalid and PacInvalidDate/],
    ['Amended', 'ABC111111', /only PacInvalid and PacInvalidDate/],
    ['Cancelled', 'ABC222222', /The row is Cancelled/],
  ] as const)('that is %s with the PAC %s and is given ABC222222: %s', (statusName, pac, expected) => {
    const check = checkAmend({ statusName, pac }, 'ABC222222');
    if (typeof expected === 'string') expect(check).toBe(expected);
    else expect(check).toEqual({ impossible: expect.stringMatching(expected) });
  });
});

const port = (statusName: string, rows: Readonly<Record<string, string>>) => ({
  statusName,
  rows: new Map(
    Object.entries(rows).map(([number, status]): [string, PortRowReading] => [number, { statusName: status }]),
  ),
});
const cancel = (...numbers: string[]): ChangeCommand => ({
  action: 'cancel',
  whole: false,
  mayBeMade: true,
  pacs: new Map(numbers.map((number) => [number, null])),
});

describe('the one call', () => {
  const failed = port('Pac Check Failed', { 1: 'PacInvalid', 2: 'PacInvalid', 3: 'PacValid' });

  test('cancels some rows, and gives the reason why others cannot be cancelled', () => {
    const decision = planChange(cancel('1', '3', '9'), failed);
    expect(decision).toMatchObject({ call: 'cancel-rows', numbers: new Set(['1']) });
    expect([...decision.rejected]).toEqual([
      ['3', expect.stringContaining('PacValid')],
      ['9', 'The port does not contain this number'],
    ]);
  });

  test('cancels the port where no row would be left, whatever the row statuses', () => {
    expect(planChange(cancel('1', '2', '3'), failed).call).toBe('cancel-port');
    const rest = port('Submitted', { 1: 'Cancelled', 2: 'CancellationRequested', 3: 'Submitted' });
    expect(planChange(cancel('3'), rest).call).toBe('cancel-port');
  });

  test('cancels the port when the whole port is named', () => {
    expect(planChange({ action: 'cancel', whole: true, mayBeMade: true, pacs: new Map() }, failed).call).toBe(
      'cancel-port',
    );
  });

  test('is rejected for a port that can no longer be cancelled', () => {
    const decision = planChange(cancel('1'), port('Ported', { 1: 'Submitted' }));
    expect(decision).toMatchObject({ call: 'nothing', rejection: expect.stringContaining('Ported') });
  });

  test('is none where everything is done already', () => {
    expect(planChange(cancel('1'), port('Submitted', { 1: 'CancellationRequested', 2: 'Submitted' })).call).toBe(
      'nothing',
    );
    expect(planChange(cancel('1'), port('Submitted', { 1: 'CancellationRequested' })).call).toBe('nothing');
    expect(planChange(cancel('1'), port('Cancelled', { 1: 'Cancelled' })).call).toBe('nothing');
  });

  test('gives new PACs to the rows that need them', () => {
    const command: ChangeCommand = {
      action: 'amend',
      whole: false,
      mayBeMade: true,
      pacs: new Map([
        ['1', 'ABC222222'],
        ['3', 'ABC333333'],
      ]),
    };
    expect(planChange(command, failed)).toMatchObject({ call: 'amend', numbers: new Set(['1']) });
  });

  test('amends rows although every row of the port is named', () => {
    const two = port('Pac Check Failed', { 1: 'PacInvalid', 2: 'PacInvalidDate' });
    const pacs = new Map([
      ['1', 'ABC222222'],
      ['2', 'ABC333333'],
    ]);
    expect(planChange({ action: 'amend', whole: false, mayBeMade: true, pacs }, two)).toEqual({
      call: 'amend',
      numbers: new Set(['1', '2']),
      rejected: new Map(),
    });
  });

  test('names the numbers that are not in the port, and cancels the rest of the port', () => {
    expect(planChange(cancel('1', '2', '3', '9'), failed)).toEqual({
      call: 'cancel-port',
      numbers: new Set(),
      rejected: new Map([['9', 'The port does not contain this number']]),
    });
    expect(planChange(cancel('1', '9'), port('Locked', { 1: 'Submitted' }))).toMatchObject({
      call: 'nothing',
      rejected: new Map([['9', 'The port does not contain this number']]),
    });
  });

  test('is none for a port whose rows are all cancelled, whatever its status', () => {
    const gone = planChange(cancel('1'), port('Locked', { 1: 'Cancelled' }));
    expect(gone).toEqual({ call: 'nothing', numbers: new Set(), rejected: new Map() });
  });

  test('is none for a cancelled port, also where its detail lacks rows', () => {
    const lacking: Readonly<Record<string, string>>[] = [{}, { 2: 'Cancelled' }];
    for (const rows of lacking) {
      const gone = planChange(cancel('1'), port('Cancelled', rows));
      expect(gone).toEqual({ call: 'nothing', numbers: new Set(), rejected: new Map() });
    }
  });

  test('is none for a PAC that an own call has set in a row that left its port since', () => {
    const left = {
      statusName: 'Submitted',
      rows: new Map([['1', { statusName: 'CancellationRequested', pac: 'ABC222222' }]]),
    };
    const amend = { ...cancel('1'), action: 'amend' as const, pacs: new Map([['1', 'abc 222222']]) };
    expect(planChange(amend, left)).toEqual({ call: 'nothing', numbers: new Set(), rejected: new Map() });
    for (const other of [{ mayBeMade: false }, { pacs: new Map([['1', 'ABC333333']]) }])
      expect(planChange({ ...amend, ...other }, left).rejected.get('1')).toContain('takes no new PAC');
  });

  test('rejects no row that is done already', () => {
    const decision = planChange(
      cancel('1', '2'),
      port('Submitted', { 1: 'Cancelled', 2: 'Submitted', 3: 'Submitted' }),
    );
    expect(decision).toEqual({ call: 'cancel-rows', numbers: new Set(['2']), rejected: new Map() });
  });

  test('is none for what somebody else has made: each row, or the whole port, says so', () => {
    const others = (command: ChangeCommand) => ({ ...command, mayBeMade: false });
    const some = port('Submitted', { 1: 'Cancelled', 2: 'Submitted', 3: 'Submitted' });
    const decision = planChange(others(cancel('1', '2')), some);
    expect(decision).toMatchObject({ call: 'cancel-rows', numbers: new Set(['2']) });
    expect(decision.rejected.get('1')).toContain('cancelled before, so nothing was sent');
    const gone = port('Cancelled', { 1: 'Cancelled' });
    expect(planChange(others(cancel('1')), gone).madeBefore).toContain('cancel its new port');
    expect(planChange(cancel('1'), gone).madeBefore).toBeUndefined();
    const amended = { statusName: 'Submitted', rows: new Map([['1', { statusName: 'Amended', pac: 'ABC222222' }]]) };
    const amend = { ...others(cancel('1')), action: 'amend' as const, pacs: new Map([['1', 'ABC222222']]) };
    expect(planChange(amend, amended).rejected.get('1')).toBe('The port had this PAC before, so nothing was sent');
    expect(planChange({ ...amend, mayBeMade: true }, amended).rejected.size).toBe(0);
  });

  test('checks a row for the change that is requested: cancel or amend', () => {
    const valid = port('Network Rejected', { 1: 'PacValid', 2: 'PacValid' });
    expect(planChange(cancel('1'), valid).numbers).toEqual(new Set(['1']));
    const amend: ChangeCommand = {
      action: 'amend',
      whole: false,
      mayBeMade: true,
      pacs: new Map([['1', 'ABC222222']]),
    };
    expect(planChange(amend, valid)).toMatchObject({ call: 'nothing', numbers: new Set() });
    expect(planChange(amend, valid).rejected.get('1')).toContain('take a new PAC');
  });

  test('once made, is never requested again, whatever the port was', () => {
    const status = fc.constantFrom('PacInvalid', 'PacInvalidDate', 'PacValid', 'Submitted', 'Amended', 'Cancelled');
    const rows = fc.dictionary(fc.constantFrom('1', '2', '3', '4'), status, { minKeys: 1 });
    const portStatus = fc.constantFrom('Created', 'Network Rejected', 'Pac Check Failed', 'Submitted', 'Locked');
    fc.assert(
      fc.property(
        portStatus,
        rows,
        fc.subarray(['1', '2', '3', '4'], { minLength: 1 }),
        (statusName, before, numbers) => {
          const decision = planChange(cancel(...numbers), port(statusName, before));
          const changed = decision.call === 'cancel-port' ? Object.keys(before) : [...decision.numbers];
          const after = {
            ...before,
            ...Object.fromEntries(changed.map((number) => [number, 'CancellationRequested'])),
          };
          const again = planChange(cancel(...numbers), port(statusName, after));
          expect(again.numbers.size).toBe(0);
          expect(again.call).toBe('nothing');
        },
      ),
    );
  });
});
