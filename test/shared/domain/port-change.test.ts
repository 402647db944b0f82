// What can be changed in which status, by tables; and that a change which was made is never asked for again.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChangeWish,
  decideChange,
  judgeAmend,
  judgeLineCancel,
  judgePortCancel,
  type LineReading,
} from '#shared/domain/port-change.ts';

describe('the whole port', () => {
  test.each([
    ...['Created', 'Network Validating', 'Network Rejected', 'Pac Check Failed', 'PacCheckFailed', 'Submitted'],
    ...['Awaiting Serial', 'SubmittedWithErrors', 'Error', 'Something New'],
  ])('can be cancelled when %s', (status) => {
    expect(judgePortCancel(status)).toBe('due');
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
    expect(judgePortCancel(status)).toEqual({
      never: `the port is ${status}, and only one that is not Locked yet can be cancelled`,
    });
  });
  test('is cancelled when Cancelled', () => {
    expect(judgePortCancel('Cancelled')).toBe('done');
  });
});

describe('one line of several', () => {
  test.each([
    ['Pac Check Failed', 'PacInvalid', 'due'],
    ['Pac Check Failed', 'PacInvalidDate', 'due'],
    ['Pac Check Failed', 'PacValid', /the line is PacValid/],
    ['Pac Check Failed', 'Amended', /wait, or cancel the whole port/],
    ['Pac Check Failed', 'Something New', 'due'],
    ['Network Rejected', 'PacValid', 'due'],
    ['Submitted', 'Submitted', 'due'],
    ['Locked', 'Submitted', /the port is Locked/],
    ['Submitted', 'CancellationRequested', 'done'],
    ['Locked', 'Cancelled', 'done'],
    ['Cancelled', 'Submitted', 'done'],
  ] as const)('in a port that is %s, the line being %s: %s', (port, statusName, expected) => {
    const verdict = judgeLineCancel(port, { statusName });
    if (typeof expected === 'string') expect(verdict).toBe(expected);
    else expect(verdict).toEqual({ never: expect.stringMatching(expected) });
  });

  test.each([
    ['PacInvalid', 'ABC111111', 'due'],
    ['PacInvalidDate', null, 'due'],
    ['Something New', 'ABC111111', 'due'],
    ['Amended', 'abc 222-222', 'done'],
    ['PacValid', 'ABC222222', 'done'],
    ['Submitted', 'ABC222222', 'done'],
    ['PacInvalid', 'ABC222222', /this very PAC/],
    ['PacValid', 'ABC111111', /only PacInvalid and PacInvalidDate/],
    ['Amended', 'ABC111111', /only PacInvalid and PacInvalidDate/],
    ['Cancelled', 'ABC222222', /the line is Cancelled/],
  ] as const)('that is %s with the PAC %s and is given ABC222222: %s', (statusName, pac, expected) => {
    const verdict = judgeAmend({ statusName, pac }, 'ABC222222');
    if (typeof expected === 'string') expect(verdict).toBe(expected);
    else expect(verdict).toEqual({ never: expect.stringMatching(expected) });
  });
});

const port = (statusName: string, rows: Readonly<Record<string, string>>) => ({
  statusName,
  lines: new Map(
    Object.entries(rows).map(([number, status]): [string, LineReading] => [number, { statusName: status }]),
  ),
});
const cancel = (...numbers: string[]): ChangeWish => ({
  action: 'cancel',
  whole: false,
  lines: new Map(numbers.map((number) => [number, null])),
});

describe('the one call', () => {
  const failed = port('Pac Check Failed', { 1: 'PacInvalid', 2: 'PacInvalid', 3: 'PacValid' });

  test('cancels some lines, and says why others cannot be', () => {
    const decision = decideChange(cancel('1', '3', '9'), failed);
    expect(decision).toMatchObject({ call: 'cancel-lines', due: new Set(['1']) });
    expect([...decision.never]).toEqual([
      ['3', expect.stringContaining('PacValid')],
      ['9', 'the port does not hold this number'],
    ]);
  });

  test('cancels the port where no line would be left, whatever their statuses', () => {
    expect(decideChange(cancel('1', '2', '3'), failed).call).toBe('cancel-port');
    const rest = port('Submitted', { 1: 'Cancelled', 2: 'CancellationRequested', 3: 'Submitted' });
    expect(decideChange(cancel('3'), rest).call).toBe('cancel-port');
  });

  test('cancels the port where that was asked for', () => {
    expect(decideChange({ action: 'cancel', whole: true, lines: new Map() }, failed).call).toBe('cancel-port');
  });

  test('is refused for a port that is past it', () => {
    const decision = decideChange(cancel('1'), port('Ported', { 1: 'Submitted' }));
    expect(decision).toMatchObject({ call: 'nothing', refusal: expect.stringContaining('Ported') });
  });

  test('is none where all of it is done', () => {
    expect(decideChange(cancel('1'), port('Submitted', { 1: 'CancellationRequested', 2: 'Submitted' })).call).toBe(
      'nothing',
    );
    expect(decideChange(cancel('1'), port('Submitted', { 1: 'CancellationRequested' })).call).toBe('nothing');
    expect(decideChange(cancel('1'), port('Cancelled', { 1: 'Cancelled' })).call).toBe('nothing');
  });

  test('gives new PACs to the lines that need them', () => {
    const wish: ChangeWish = {
      action: 'amend',
      whole: false,
      lines: new Map([
        ['1', 'ABC222222'],
        ['3', 'ABC333333'],
      ]),
    };
    expect(decideChange(wish, failed)).toMatchObject({ call: 'amend', due: new Set(['1']) });
  });

  test('gives new PACs although every line of the port is named', () => {
    const two = port('Pac Check Failed', { 1: 'PacInvalid', 2: 'PacInvalidDate' });
    const lines = new Map([
      ['1', 'ABC222222'],
      ['2', 'ABC333333'],
    ]);
    expect(decideChange({ action: 'amend', whole: false, lines }, two)).toEqual({
      call: 'amend',
      due: new Set(['1', '2']),
      never: new Map(),
    });
  });

  test('names the numbers that the port does not hold, where it cancels the rest of it', () => {
    expect(decideChange(cancel('1', '2', '3', '9'), failed)).toEqual({
      call: 'cancel-port',
      due: new Set(),
      never: new Map([['9', 'the port does not hold this number']]),
    });
    expect(decideChange(cancel('1', '9'), port('Locked', { 1: 'Submitted' }))).toMatchObject({
      call: 'nothing',
      never: new Map([['9', 'the port does not hold this number']]),
    });
  });

  test('is none for a port whose every line is cancelled, whatever the port is by now', () => {
    const gone = decideChange(cancel('1'), port('Locked', { 1: 'Cancelled' }));
    expect(gone).toEqual({ call: 'nothing', due: new Set(), never: new Map() });
  });

  test('says nothing against a line that is done', () => {
    const decision = decideChange(
      cancel('1', '2'),
      port('Submitted', { 1: 'Cancelled', 2: 'Submitted', 3: 'Submitted' }),
    );
    expect(decision).toEqual({ call: 'cancel-lines', due: new Set(['2']), never: new Map() });
  });

  test('judges a line by what is wished for it: a cancel as a cancel, a PAC as a PAC', () => {
    const valid = port('Network Rejected', { 1: 'PacValid', 2: 'PacValid' });
    expect(decideChange(cancel('1'), valid).due).toEqual(new Set(['1']));
    const amend: ChangeWish = { action: 'amend', whole: false, lines: new Map([['1', 'ABC222222']]) };
    expect(decideChange(amend, valid)).toMatchObject({ call: 'nothing', due: new Set() });
    expect(decideChange(amend, valid).never.get('1')).toContain('take a new PAC');
  });

  test('once made, is never asked for again, whatever the port looked like', () => {
    const status = fc.constantFrom('PacInvalid', 'PacInvalidDate', 'PacValid', 'Submitted', 'Amended', 'Cancelled');
    const rows = fc.dictionary(fc.constantFrom('1', '2', '3', '4'), status, { minKeys: 1 });
    const portStatus = fc.constantFrom('Created', 'Network Rejected', 'Pac Check Failed', 'Submitted', 'Locked');
    fc.assert(
      fc.property(
        portStatus,
        rows,
        fc.subarray(['1', '2', '3', '4'], { minLength: 1 }),
        (statusName, before, numbers) => {
          const decision = decideChange(cancel(...numbers), port(statusName, before));
          const asked = decision.call === 'cancel-port' ? Object.keys(before) : [...decision.due];
          const after = { ...before, ...Object.fromEntries(asked.map((number) => [number, 'CancellationRequested'])) };
          const again = decideChange(cancel(...numbers), port(statusName, after));
          expect(again.due.size).toBe(0);
          expect(again.call).toBe('nothing');
        },
      ),
    );
  });
});
