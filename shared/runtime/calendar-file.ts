// The calendar of one machine, in a file that every process reads: a person may pause it, change its speed or skip days
// while everything runs. On AWS there is no such file.
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { type Clock, type Clocks, wallClock } from './clock.ts';

/** From the wall time `from` on, the calendar counts from `time`, `speed` times as fast. Speed 0 is a pause. */
const segments = z
  .array(z.object({ from: z.number(), time: z.number(), speed: z.number() }))
  .check(z.minLength(1), z.maxLength(2));
type Segments = z.infer<typeof segments>;

/** A change is written this long before it takes effect, so every process has read it in time. */
const readEveryMs = 50;

/** @throws Error where the file cannot be read at first; later the last content counts */
export function calendarFromFile(path: string, wall: Clock = wallClock): Clock {
  const read = (): Segments => segments.parse(JSON.parse(readFileSync(path, 'utf8')));
  let readAt = wall();
  let known = read();
  return () => {
    const now = wall();
    if (now - readAt >= readEveryMs) {
      readAt = now;
      known = readUnlessRemoved(read, known);
    }
    const current = known.findLast(({ from }) => from <= now) ?? known[0];
    if (current === undefined) throw new Error(`${path} has no calendar`);
    return current.time + (now - current.from) * current.speed;
  };
}

/** The two clocks of a function. @param calendarFile undefined on AWS: the calendar is wall time */
export const clocksOf = (calendarFile: string | undefined): Clocks => ({
  wall: wallClock,
  calendar: calendarFile === undefined ? wallClock : calendarFromFile(calendarFile),
});

/** The emulator removes its temporary folder while the last processes end. Windows declines while it is replaced. */
function readUnlessRemoved(read: () => Segments, known: Segments): Segments {
  try {
    return read();
  } catch (error) {
    if (/^(?:ENOENT|EPERM|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '')) return known;
    throw error;
  }
}
