// Virtual time: it advances only when every task waits for it.
import { setImmediate as settled } from 'node:timers/promises';

export interface Timeline {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after this many milliseconds of virtual time. */
  wait(milliseconds: number): Promise<void>;
  /** Runs `action` at that time, or at once if it is past. */
  at(time: number, action: () => void): void;
  /** Advances to the next due task; false if there is none, or none before `until`. */
  step(until?: number): Promise<boolean>;
  /** Advances without running tasks. */
  moveTo(time: number): void;
}

interface Waiting {
  readonly time: number;
  readonly resume: () => void;
}

export function createTimeline(start: number): Timeline {
  let now = start;
  const waiting: Waiting[] = [];

  /** After all tasks that are due at the same time: first in, first out. */
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
      // Everything that this task resumed runs until it waits again, so that the timeline alone determines the order.
      await settled();
      return true;
    },
  };
}
