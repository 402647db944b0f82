// The slots that one function instance has taken from the shared rate limiter, and how many it takes the next time.
import { furthestSlotMs } from '#shared/domain/requests/rate-limit.ts';

export interface Slots {
  /** When the next call may be made, epoch milliseconds; undefined where no slot is left. */
  next(now: number): number | undefined;
  use(): void;
  /** How many slots to take: as many as were used last time, doubled while all of them are used. */
  wanted(): number;
  add(first: number, count: number, intervalMs: number): void;
  clear(): void;
}

/** An unused slot expires, so that an instance that was frozen does not make many calls at once. */
const expiresMs = 1_000;
const firstWanted = 2;
const mostWanted = 20;

/** At most the calls of half a second are taken at a time, so that every instance notices a pause or an outage soon. */
export function createSlots(callsPerSecond: number): Slots {
  const most = Math.max(1, Math.min(mostWanted, Math.floor(callsPerSecond / 2)));
  let slots: number[] = [];
  let taken = 0;
  let used = 0;
  let usual = firstWanted;

  return {
    next: (now) => {
      // One far ahead was taken before the clock stepped back.
      slots = slots.filter((slot) => slot + expiresMs >= now && slot - now <= furthestSlotMs);
      return slots[0];
    },
    use: () => {
      slots.shift();
      used += 1;
    },
    wanted: () => {
      if (taken > 0) usual = used === taken ? taken * 2 : used;
      [taken, used] = [0, 0];
      return Math.max(1, Math.min(most, usual));
    },
    add: (first, count, intervalMs) => {
      slots = Array.from({ length: count }, (_, index) => first + index * intervalMs);
      taken = count;
    },
    clear: () => {
      slots = [];
    },
  };
}
