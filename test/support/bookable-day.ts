// A day of the calendar on which a British port can be booked.
import { holidaysOf } from '#simulator/calendar.ts';

const dayMs = 86_400_000;

/** The first working day at or after `from` (epoch ms) that passes, `YYYY-MM-DD`. */
export function bookableDay(from: number, passes: (day: Date) => boolean = () => true): string {
  for (let time = from; ; time += dayMs) {
    const day = new Date(time);
    const text = day.toISOString().slice(0, 10);
    const isHoliday = (holidaysOf('uk', day.getUTCFullYear()) as readonly string[]).includes(text);
    if (day.getUTCDay() % 6 !== 0 && !isHoliday && passes(day)) return text;
  }
}
