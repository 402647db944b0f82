// The calendar of a folder: it starts at wall time and runs `speed` times as fast, also while the emulator is stopped.

export interface Calendar {
  /** Epoch milliseconds of wall time from which the calendar counts. */
  readonly origin: number;
  /** 0: it is paused. */
  readonly speed: number;
  /** Epoch milliseconds of the calendar at the origin. @default origin */
  readonly start?: number | undefined;
}

export const calendarTimeAt = ({ origin, speed, start = origin }: Calendar, now: number): number =>
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
