// On a fast calendar days end while a file is being sent, and a request that was judged before midnight and arrives after
// it has lost its day. What wants the same outcome every time begins with a day.
import { dateInZone } from '#shared/domain/calendar-date.ts';
import type { Clock } from '#shared/runtime/clock.ts';

const zone = 'Europe/London';
const lookEveryMs = 25;

/** Resolves when the calendar's next day has begun. */
export async function daybreak(calendar: Clock, wait: (milliseconds: number) => Promise<void>): Promise<void> {
  const today = () => dateInZone(calendar(), zone);
  for (const before = today(); today() === before; ) await wait(lookEveryMs);
}
