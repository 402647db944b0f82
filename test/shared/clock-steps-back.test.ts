// The wall clock of a machine is set back by an hour: nothing that waited for seconds waits for that hour.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCallerLimit } from '#functions/api/app.ts';
import { mayRefresh } from '#functions/report/refresh-throttle.ts';
import { msUntil } from '#shared/domain/dates/ms-until.ts';
import { createSlots } from '#shared/porting/rate-limiter-slots.ts';
import { calendarFromFile } from '#shared/runtime/calendar-file.ts';
import { double } from '../support/double.ts';
import { iso, noon } from '../support/results-ledger.ts';
import { importItemOf } from '../support/results-rig.ts';

const hour = 3_600_000;
const earlier = noon - hour;

test('a wait longer than any wait of its kind is over', () => {
  expect([noon - 1, noon, noon + 60, noon + hour].map((until) => msUntil(until, noon, 60))).toEqual([0, 0, 60, 0]);
});

test('a change of the calendar is read at once', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'simporter-clock-')), 'calendar.json');
  const write = (speed: number) => writeFileSync(file, JSON.stringify([{ from: 0, time: 0, speed }]));
  write(1);
  let now = noon;
  const calendar = calendarFromFile(file, () => now);
  expect(calendar()).toBe(noon);
  write(2);
  now = earlier;
  expect(calendar()).toBe(2 * earlier);
});

test('a person may call the API again after a second', () => {
  let now = noon;
  const takeSlot = createCallerLimit({ perSecond: 1, burst: 1 }, () => now);
  expect(takeSlot('sam')).toBe(0);
  now = earlier;
  expect(takeSlot('sam')).toBe(1);
  now += 1_000;
  expect(takeSlot('sam')).toBe(0);
});

test('an instance of a function takes new slots of the rate limit', () => {
  const slots = createSlots(10);
  slots.add(noon, 5, 100);
  expect(slots.next(noon)).toBe(noon);
  expect(slots.next(earlier)).toBeUndefined();
});

test('report refreshes a large import', async () => {
  const item = importItemOf('import-a', {
    requestCount: 10_000,
    throttledUntil: iso(noon + 30_000),
    refreshAt: iso(noon + 30_000),
  });
  const task = { message: { importId: item.importId }, isRedelivered: false };
  const imports = { update: async () => item };
  const refreshAt = (now: number) =>
    mayRefresh(item, task, double({ imports, throttleWait: () => 30_000, wall: () => now }));
  expect([await refreshAt(noon), await refreshAt(earlier)]).toEqual([false, true]);
});
