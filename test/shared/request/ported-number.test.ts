// A number that was ported is known for ever: it is not sent again by accident.
import { expect, test } from 'vitest';
import { describePorted, type LatestReading, type NumberItem, portedNumberOf } from '#shared/request/number-claim.ts';

const at = '2026-07-20T10:00:00.000Z';
const earlier = { importId: 'import-0', line: 9, at: '2026-01-05T10:00:00.000Z' };
const numberItem = (latest?: Partial<LatestReading>, ported?: NumberItem['ported']): NumberItem => ({
  number: '447700900001',
  importId: 'import-a',
  request: 1,
  line: 4,
  claimedAt: at,
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
