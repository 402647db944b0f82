// The calendar of a folder over restarts.
import { describe, expect, test } from 'vitest';
import { continueCalendar } from '#local/running-calendar.ts';

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
