// How long something waits. A wall clock may be set back: a wait that was to end in minutes must not last for hours.

/** 0 for an instant in the past (epoch ms), or one further ahead than any wait: then the clock stepped back since. */
export const msUntil = (until: number, now: number, longest: number): number =>
  until - now > longest ? 0 : Math.max(0, until - now);
