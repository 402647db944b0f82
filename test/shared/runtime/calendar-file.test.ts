// The calendar that a person changes while everything runs: what the emulator writes, every process reads.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { continueCalendar, openCalendar } from '#local/running-calendar.ts';
import { calendarFromFile } from '#shared/runtime/calendar-file.ts';

const noon = Date.UTC(2026, 5, 1, 12);
const minute = 60_000;
const day = 1_440 * minute;

let folder: string;
/** Wall time. */
let wall: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-calendar-'));
  wall = noon;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function open(speed: number, whileWaiting: () => void = () => undefined) {
  const now = () => wall;
  const wait = async (milliseconds: number) => {
    for (const end = wall + milliseconds; wall < end; wall += 10) whileWaiting();
  };
  const calendar = await openCalendar(folder, { origin: noon, speed }, { now, wait });
  return { calendar, process: calendarFromFile(calendar.file, now) };
}

test('a process has the time of the emulator', async () => {
  const { calendar, process } = await open(1_440);
  wall = noon + minute;
  expect(process()).toBe(noon + day);
  expect(calendar.now()).toBe(process());
});

test('a paused calendar keeps its time, and continues from there', async () => {
  const { calendar, process } = await open(1_440);
  wall = noon + minute;
  await calendar.change({ speed: 0 });
  const pausedAt = process();
  wall += 10 * minute;
  expect([process(), calendar.now()]).toEqual([pausedAt, pausedAt]);
  await calendar.change({ speed: 1 });
  const continued = process();
  expect(continued).toBe(pausedAt);
  wall += minute;
  expect(process()).toBe(continued + minute);
});

test('a day is skipped while the calendar is paused, and none of the minutes before is lost', async () => {
  const { calendar, process } = await open(1);
  await calendar.change({ speed: 0 });
  const before = process();
  await calendar.change({ days: 1 });
  expect(process()).toBe(before + day);
});

test('a process that read the file before a change has the new time at the same instant as the emulator', async () => {
  const times: [number, number][] = [];
  const opened = await open(86_400, () => times.push([opened.process(), opened.calendar.now()]));
  opened.process();
  await opened.calendar.change({ speed: 0 });
  times.push([opened.process(), opened.calendar.now()]);
  expect(times).toHaveLength(11);
  for (const [process, emulator] of times) expect(process).toBe(emulator);
});

test('changes that are made at the same time all count', async () => {
  const { calendar, process } = await open(1);
  const start = process();
  await Promise.all([calendar.change({ days: 1 }), calendar.change({ days: 2 })]);
  expect(process() - start - 3 * day).toBeLessThan(minute);
  expect(process() - start).toBeGreaterThanOrEqual(3 * day);
});

test('a calendar that was changed continues at the next start, also at another speed or in real time', async () => {
  const { calendar } = await open(1_440);
  await calendar.change({ days: 1, speed: 0 });
  const { current, now } = calendar;
  const reached = now();
  const later = wall + minute;
  expect(continueCalendar(current(), undefined, later)).toEqual(current());
  expect(continueCalendar(current(), 1, later)).toEqual({ origin: later, start: reached, speed: 1 });
});

test('the emulator may remove the file while a process ends', async () => {
  const { calendar, process } = await open(60);
  await rm(calendar.file);
  wall = noon + minute;
  expect(process()).toBe(noon + 60 * minute);
});
