// A calendar that can be changed while everything runs. Every process reads it from one file, in which a change is
// written before it takes effect: so all of them change at the same instant.
import { type CalendarSegment, writeCalendarFile } from './data-folder.ts';

export interface CalendarChange {
  /** Calendar time divided by wall time; 0 pauses the calendar. @default - as it is */
  readonly speed?: number;
  /** Days to skip. @default 0 */
  readonly days?: number;
}

export interface RunningCalendar {
  /** The file that the processes read. */
  readonly file: string;
  /** As it is now. */
  readonly current: () => Calendar;
  /** Calendar time now, epoch milliseconds. */
  readonly now: () => number;
  /** Resolves when the change is in effect. */
  readonly change: (change: CalendarChange) => Promise<void>;
}

/** Twice as long as a process may use what it read. */
const leadMs = 100;
const dayMs = 86_400_000;

const segmentOf = (calendar: Calendar): CalendarSegment => ({
  from: calendar.origin,
  time: calendar.start ?? calendar.origin,
  speed: calendar.speed,
});

export interface WallTime {
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** @param folder where the file is kept */
export const openCalendar = async (
  folder: string,
  first: Calendar,
  { now: wall, wait }: WallTime,
): Promise<RunningCalendar> => {
  let known: readonly Calendar[] = [first];
  const file = await writeCalendarFile(folder, known.map(segmentOf));
  const current = (): Calendar => known.findLast(({ origin }) => origin <= wall()) ?? first;

  const apply = async ({ speed, days = 0 }: CalendarChange): Promise<void> => {
    const before = current();
    const origin = wall() + leadMs;
    const start = Math.ceil(calendarTimeAt(before, origin)) + days * dayMs;
    const changed = [before, { origin, start, speed: speed ?? before.speed }];
    await writeCalendarFile(folder, changed.map(segmentOf));
    known = changed;
    await wait(leadMs);
  };
  let last: Promise<void> = Promise.resolve();
  return {
    file,
    current,
    now: () => calendarTimeAt(current(), wall()),
    // One after the other: each change continues from the one before.
    change: (change) => {
      last = last.catch(() => undefined).then(() => apply(change));
      return last;
    },
  };
};

/** It starts at wall time and runs `speed` times as fast, also while the emulator is stopped. */
export interface Calendar {
  /** Epoch milliseconds of wall time from which the calendar counts. */
  readonly origin: number;
  /** 0: it is paused. */
  readonly speed: number;
  /** Epoch milliseconds of the calendar at the origin. @default origin */
  readonly start?: number | undefined;
}

const calendarTimeAt = ({ origin, speed, start = origin }: Calendar, now: number): number =>
  start + (now - origin) * speed;

/**
 * The calendar of a start.
 * @param earlier the calendar of the last run on this folder: time must not jump.
 * @param speed undefined keeps the earlier speed, or real time in a new folder.
 * @throws Error where an accelerated calendar would have to become real time again: it is ahead
 */
export const continueCalendar = (earlier: Calendar | undefined, speed: number | undefined, now: number): Calendar => {
  if (earlier === undefined) return { origin: now, speed: speed ?? 1 };
  if (speed === undefined || speed === earlier.speed) return earlier;
  const reached = calendarTimeAt(earlier, now);
  // It was changed while it ran.
  if (earlier.start !== undefined) return { origin: now, start: Math.ceil(reached), speed };
  if (earlier.speed === 1) return { origin: now, speed };
  if (speed === 1) {
    throw new Error(
      `The calendar of this folder has reached ${new Date(reached).toISOString()} at speed ${earlier.speed} ` +
        'and cannot return to real time. Start with another speed, or with a new folder.',
    );
  }
  // With this origin the new speed reaches the same calendar time now. Rounding down keeps time from going back.
  return { origin: Math.floor((reached - now * speed) / (1 - speed)), speed };
};
