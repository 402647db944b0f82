// When to stop: a call that is begun must still be recorded.

/** There is not enough time left to make a call and to record it: the message comes back. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Time to record an answer once it is there. */
export const recordingMs = 5_000;
