// The calendar of a folder: it starts with the wall clock and runs `speed` times as fast, over restarts as well.

export interface Calendar {
  /** Epoch milliseconds of wall time at which calendar and wall time agree. */
  readonly origin: number;
  readonly speed: number;
}

/**
 * The calendar to go on with.
 *
 * @param earlier the calendar of the last run on this folder: time must not jump for ports that are under way.
 * @param speed what is asked for now; undefined keeps the earlier speed, or real time in a new folder.
 * @throws Error where an accelerated calendar is asked to become real time again: it is ahead for good.
 */
export const continueCalendar = (earlier: Calendar | undefined, speed: number | undefined, now: number): Calendar => {
  if (earlier === undefined) return { origin: now, speed: speed ?? 1 };
  if (speed === undefined || speed === earlier.speed) return earlier;
  const reached = earlier.origin + (now - earlier.origin) * earlier.speed;
  if (earlier.speed === 1) return { origin: now, speed };
  if (speed === 1) {
    throw new Error(
      `The calendar of this folder has reached ${new Date(reached).toISOString()} at speed ${earlier.speed} and cannot fall back to real time. Start with another speed, or with a new folder.`,
    );
  }
  // The origin from which the new speed reaches, now, the same calendar time; rounded down, so that it never goes back.
  return { origin: Math.floor((reached - now * speed) / (1 - speed)), speed };
};
