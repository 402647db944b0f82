// How long to wait before asking AWS again for what it did not take (throttled entries of an otherwise good batch).

export interface Backoff {
  /** Tries in all, the first included. */
  readonly attempts: number;
  /** Waits after the given try (1, 2, …). */
  pause(attempt: number): Promise<void>;
}

const baseMs = 50;
const capMs = 5_000;

/** Exponential with full jitter: between nothing and 50 ms · 2^attempt, at most 5 s. */
export const jitteredWait = (attempt: number, random: () => number): number =>
  Math.min(capMs, baseMs * 2 ** attempt) * random();

export const createBackoff = (
  attempts: number,
  random: () => number,
  wait: (ms: number) => Promise<void>,
): Backoff => ({ attempts, pause: (attempt) => wait(jitteredWait(attempt, random)) });

export const defaultBackoff: Backoff = createBackoff(
  8,
  Math.random,
  (ms) => new Promise((done) => setTimeout(done, ms)),
);
