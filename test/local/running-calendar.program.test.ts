// The calendar of a folder over restarts.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { continueCalendar, openCalendar } from '#local/running-calendar.ts';

const now = Date.UTC(2026, 5, 1);
const at = ({ origin, speed }: { origin: number; speed: number }, time: number) => origin + (time - origin) * speed;

describe('a calendar', () => {
  test('of a new folder begins now, in real time', () => {
    expect(continueCalendar(undefined, undefined, now)).toEqual({ origin: now, speed: 1 });
  });

  test('continues as it was', () => {
    const earlier = { origin: now - 1_000, speed: 60 };

    expect(continueCalendar(earlier, undefined, now)).toEqual(earlier);
    expect(continueCalendar(earlier, 60, now)).toEqual(earlier);
  });

  test.each([2, 600, 100_000])(
    'that changes its speed to %i continues within a millisecond of wall time, and never goes back',
    (speed) => {
      const earlier = { origin: now - 100_000, speed: 60 };

      const later = continueCalendar(earlier, speed, now);

      const jump = at(later, now) - at(earlier, now);
      expect(jump).toBeGreaterThanOrEqual(0);
      expect(jump).toBeLessThanOrEqual(speed);
      expect(at(later, now + 1_000) - at(later, now)).toBeCloseTo(speed * 1_000, 0);
    },
  );

  test('that is ahead cannot return to real time', () => {
    expect(() => continueCalendar({ origin: now - 1_000, speed: 60 }, 1, now)).toThrow('cannot return to real time');
  });
});

test('a change that cannot be written changes nothing, and the next one works', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'calendar-'));
  const time = { wall: now };
  const wait = async (milliseconds: number) => {
    time.wall += milliseconds;
  };
  const calendar = await openCalendar(folder, { origin: now, speed: 60 }, { now: () => time.wall, wait });
  await rm(folder, { recursive: true });

  await expect(calendar.change({ days: 1 })).rejects.toThrow('ENOENT');
  time.wall += 1_000;
  expect(calendar.current()).toEqual({ origin: now, speed: 60 });
  expect(calendar.now()).toBe(now + 60_000);

  await mkdir(folder);
  await calendar.change({ speed: 0 });
  expect(calendar.current().speed).toBe(0);
  await rm(folder, { recursive: true });
});
