// The clocks of the emulator, in milliseconds since the epoch.

export type Clock = () => number;

export const wallClock: Clock = () => Date.now();

/** Starts at wall time and never steps: a delay ends on time also when the machine's clock is set. */
export const steadyClock = (): Clock => {
  const startedAt = wallClock() - performance.now();
  return () => startedAt + performance.now();
};
