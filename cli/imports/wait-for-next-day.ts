// Waits for midnight of a fast calendar. A request that was validated before midnight and arrives after it has missed
// its date, so a demo that must always end alike begins with a new day.
import { dateInZone } from '#shared/domain/dates/calendar-date.ts';
import type { Clock } from '#shared/runtime/clock.ts';

const zone = 'Europe/London';
const pollMs = 25;

/** Resolves when the next day of the calendar has begun. */
export async function waitForNextDay(calendar: Clock, wait: (milliseconds: number) => Promise<void>): Promise<void> {
  const today = () => dateInZone(calendar(), zone);
  for (const before = today(); today() === before; ) await wait(pollMs);
}
