// When to stop: an invocation that is cut off leaves things lying about, and its message hidden for hours.

/** Cleaning up and recording takes no longer than this, in milliseconds. */
export const reserveMs = 15_000;

/** Stops reading while there is still time to clean up; the next delivery of the event begins anew (fault 26). */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
  readonly importId: string;
  /** What a person can do when it always happens. */
  readonly advice: string;

  /** @param when how far it came: `after 12 rows` */
  constructor(importId: string, when: string, advice: string) {
    super(`time ran out ${when}`);
    this.importId = importId;
    this.advice = advice;
  }
}

/** A release stopped between two batches and noted where: whoever comes next goes on there. */
export class ReleaseHalted extends Error {
  override readonly name = 'ReleaseHalted';
}
