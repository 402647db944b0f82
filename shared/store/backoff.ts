// Batches that AWS takes only in part: what it did not take is sent again, after a growing wait.

export interface Backoff {
  /** Attempts in total, including the first one. */
  readonly attempts: number;
  /** Waits after the given attempt (1, 2, ...). */
  pause(attempt: number): Promise<void>;
}

const baseMs = 50;
const capMs = 5_000;

/** Exponential with full jitter: between 0 and 50 ms * 2^attempt, at most 5 s. */
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

/** Sends the items, and again those that `send` answers as not taken. Returns what is left after the last attempt. */
export async function sendUntilTaken<Item>(
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<readonly Item[]>,
  backoff: Backoff,
): Promise<readonly Item[]> {
  let left = items;
  for (let attempt = 1; left.length > 0; attempt += 1) {
    left = await send(left);
    if (left.length === 0 || attempt >= backoff.attempts) break;
    await backoff.pause(attempt);
  }
  return left;
}

export function* chunksOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
