// The slots that one function instance has taken from the shared rate limiter, and how many it takes at a time.

export interface Slots {
  /** When the next call may be made, epoch milliseconds; undefined where no slot is left. */
  next(now: number): number | undefined;
  use(): void;
  /** Sets the next slot aside for a call that is made in a moment. */
  keep(now: number): void;
  /** false where none is set aside. */
  useKept(now: number): boolean;
  /** How many slots to take while this many calls wait, so that none expires unused. */
  wanted(waiting: number): number;
  add(first: number, count: number, intervalMs: number): void;
  clear(): void;
}

/** An unused slot expires, so that an instance that was frozen does not make many calls at once. */
const expiresMs = 1_000;
const mostWanted = 20;

/** At most the calls of half a second are taken at a time, so that every instance notices a pause or an outage soon. */
export function createSlots(callsPerSecond: number): Slots {
  const most = Math.max(1, Math.min(mostWanted, Math.floor(callsPerSecond / 2)));
  let slots: number[] = [];
  let kept: number[] = [];
  const usable = (times: readonly number[], now: number) => times.filter((time) => time + expiresMs >= now);

  return {
    next: (now) => {
      slots = usable(slots, now);
      return slots[0];
    },
    use: () => void slots.shift(),
    keep: (now) => {
      slots.shift();
      kept.push(now);
    },
    useKept: (now) => {
      kept = usable(kept, now);
      return kept.shift() !== undefined;
    },
    wanted: (waiting) => Math.min(most, waiting),
    add: (first, count, intervalMs) => {
      slots = Array.from({ length: count }, (_, index) => first + index * intervalMs);
    },
    clear: () => {
      [slots, kept] = [[], []];
    },
  };
}
