// Virtual time: whatever waits, waits here, and time passes only when everything waits.
import { setImmediate as settled } from 'node:timers/promises';

export interface Timeline {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after so many milliseconds of virtual time. */
  wait(milliseconds: number): Promise<void>;
  /** Runs `action` at that time, or at once when it is past. */
  at(time: number, action: () => void): void;
  /** Lets time pass to what is due next; false when nothing waits, or nothing before `until`. */
  step(until?: number): Promise<boolean>;
  /** Lets time pass without anything happening. */
  moveTo(time: number): void;
}

interface Waiting {
  readonly time: number;
  readonly resume: () => void;
}

export function createTimeline(start: number): Timeline {
  let now = start;
  const waiting: Waiting[] = [];

  /** Behind all that is due at the same time: first come, first served. */
  const at = (time: number, resume: () => void): void => {
    let place = waiting.length;
    while (place > 0 && (waiting[place - 1]?.time ?? 0) > time) place -= 1;
    waiting.splice(place, 0, { time, resume });
  };

  return {
    now: () => now,
    at,
    wait: (milliseconds) => new Promise((resume) => at(now + Math.max(0, milliseconds), resume)),
    moveTo: (time) => {
      now = Math.max(now, time);
    },
    step: async (until = Number.POSITIVE_INFINITY) => {
      const next = waiting[0];
      if (next === undefined || next.time > until) return false;
      waiting.shift();
      now = Math.max(now, next.time);
      next.resume();
      // Everything that this set free runs until it waits again, so that the order of things is the timeline's alone.
      await settled();
      return true;
    },
  };
}
