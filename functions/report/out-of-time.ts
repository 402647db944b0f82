// When to stop: an invocation that is cut off leaves half a file behind, and hides all of its messages for hours.

/** Stops in the middle of an import while there is time to clean up: its messages come back, and are then the first. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Cleaning up takes no longer than this, in milliseconds. */
export const reserveMs = 15_000;
/** With less than this left no further import is begun: all but the largest are done within it. */
export const leastMs = 60_000;
