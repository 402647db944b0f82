// What would happen to a number, by its claim and the request that holds it.
import { describe, expect, test } from 'vitest';
import {
  describePorted,
  describePrediction,
  hasSent,
  type LatestReading,
  type NumberItem,
  portedNumberOf,
  predictNumber,
} from '#shared/request/number-claim.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

const number = '447700900001';
const at = '2026-06-03T08:00:00.000Z';
const claimOf = (changes: Partial<NumberItem> = {}): NumberItem => ({
  number,
  importId: 'earlier',
  request: 3,
  line: 9,
  claimedAt: '2026-06-02T08:00:00.000Z',
  expiresAt: 1_850_000_000,
  ...changes,
});
const read = (status: string, changes: Partial<NonNullable<NumberItem['latest']>> = {}) =>
  claimOf({ latest: { portId: 'p', status, readAt: at, ended: true, ...changes } });
const holderOf = (changes: Partial<RequestItem> = {}) => requestItemOf({ state: 'created', ...changes });
const inProgress = { kind: 'in-progress', importId: 'earlier', line: 9 };

describe('a number is in progress', () => {
  test.each([
    ['while its request is', claimOf(), holderOf()],
    ['while its row is', read('Submitted', { ended: false }), holderOf()],
    [
      'when the row of another number was skipped',
      claimOf(),
      holderOf({ excludedRows: [{ line: 1, subject: 'other', code: 'ROW_REFUSED', message: '' }] }),
    ],
    [
      'while its row was skipped, but may be sent by the next attempt',
      claimOf(),
      holderOf({
        state: 'planned',
        excludedRows: [{ line: 9, subject: number, code: 'MSISDN_IN_LIVE_IMPORT', message: '' }],
      }),
    ],
  ])('%s', (_when, claim, holder) => {
    expect(predictNumber(claim, holder)).toEqual(inProgress);
  });
});

describe('nothing speaks against a number', () => {
  const skipped = [{ line: 9, subject: number, code: 'MSISDN_IN_LIVE_IMPORT' as const, message: '' }];
  test.each([
    ['whose request does not exist any more', claimOf(), undefined],
    ['whose request has ended', claimOf(), holderOf({ endedAt: at })],
    [
      'that the service declined by name',
      claimOf(),
      holderOf({ state: 'planned', excludedRows: [{ line: 9, subject: number, code: 'ROW_REFUSED', message: '' }] }),
    ],
    ['that was skipped by a request that was sent', claimOf(), holderOf({ excludedRows: skipped })],
    [
      'that was skipped beside another one',
      claimOf(),
      holderOf({
        excludedRows: [{ line: 8, subject: 'other', code: 'ROW_REFUSED' as const, message: '' }, ...skipped],
      }),
    ],
    ['that the source network rejected', read('Cancelled', { message: 'Not ours' }), holderOf()],
    ['whose row was removed because it blocked others', read('Cancelled'), holderOf({ removedRows: packLines([9]) })],
    ['whose port ended otherwise', read('Error'), holderOf()],
  ])('%s', (_which, claim, holder) => {
    expect(predictNumber(claim, holder)).toBeUndefined();
  });
});

test('a number is in progress while its request has a second port, whatever the first one shows', () => {
  const holder = holderOf({ duplicatePortIds: ['second'], endedAt: at });
  expect(predictNumber(read('Cancelled'), holder)).toEqual(inProgress);
  expect(predictNumber(claimOf(), holder)).toEqual(inProgress);
});

test('a number whose port is complete, now or by an earlier claim, was ported', () => {
  const ported = { importId: 'first', line: 4, at };
  expect(predictNumber(read('Complete'), undefined)).toEqual({
    kind: 'ported',
    ported: { importId: 'earlier', line: 9, at },
  });
  expect(predictNumber(claimOf({ ported }), undefined)).toEqual({ kind: 'ported', ported });
});

test('a number whose row ended as cancelled without a reason of the network was cancelled by a person', () => {
  const cancelled = { kind: 'cancelled', importId: 'earlier', line: 9, at };
  expect(predictNumber(read('Cancelled'), holderOf({ removedRows: packLines([8]) }))).toEqual(cancelled);
  expect(predictNumber(read('Cancelled'), undefined)).toEqual(cancelled);
});

test('each prediction has a code and names the import and the line', () => {
  const earlier = { importId: 'earlier', line: 9 };
  expect(describePrediction(number, { kind: 'ported', ported: { ...earlier, at } })).toEqual({
    code: 'MSISDN_ALREADY_PORTED',
    message: `${number} was already ported on 2026-06-03 by import earlier (line 9)`,
  });
  expect(describePrediction(number, { kind: 'in-progress', ...earlier })).toEqual({
    code: 'MSISDN_IN_LIVE_IMPORT',
    message: `${number} is already in progress on line 9 of import earlier`,
  });
  expect(describePrediction(number, { kind: 'cancelled', at, ...earlier })).toEqual({
    code: 'MSISDN_CANCELLED_BEFORE',
    message: `${number} was cancelled on 2026-06-03 (line 9 of import earlier)`,
  });
});

test('a request has sent its rows once it has created a port, or has ended', () => {
  expect(hasSent(holderOf())).toBe(true);
  expect(hasSent(holderOf({ state: 'declined', endedAt: at }))).toBe(true);
  expect(hasSent(holderOf({ state: 'planned' }))).toBe(false);
});

// A number that was ported is known for ever: it is not sent again by accident.
describe('of a number that was ported', () => {
  const at = '2026-07-20T10:00:00.000Z';
  const earlier = { importId: 'import-0', line: 9, at: '2026-01-05T10:00:00.000Z' };
  const numberItem = (latest?: Partial<LatestReading>, ported?: NumberItem['ported']): NumberItem => ({
    number: '447700900001',
    importId: 'import-a',
    request: 1,
    line: 4,
    claimedAt: at,
    expiresAt: 1_850_000_000,
    ported,
    ...(latest && { latest: { portId: 'p1', status: 'Complete', readAt: at, ended: true, ...latest } }),
  });

  test('a complete port is that of the row that claimed the number, at the time of the reading', () => {
    expect(portedNumberOf(numberItem({}, earlier))).toEqual({ importId: 'import-a', line: 4, at });
  });

  test.each<[string, NumberItem]>([
    ['a number that was not read', numberItem(undefined, earlier)],
    ['a row that has not ended', numberItem({ ended: false }, earlier)],
    ['a cancelled row', numberItem({ status: 'Cancelled' }, earlier)],
  ])('%s keeps the port of an earlier claim', (_, item) => {
    expect(portedNumberOf(item)).toEqual(earlier);
    expect(portedNumberOf({ ...item, ported: undefined })).toBeUndefined();
  });

  test('is described with its day, its import and its line', () => {
    expect(describePorted('447700900001', earlier)).toBe(
      '447700900001 was already ported on 2026-01-05 by import import-0 (line 9)',
    );
  });
});
