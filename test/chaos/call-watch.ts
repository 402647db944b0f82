// Counts the calls in progress and those of the last seconds, and reports when they exceed the limits (invariant I7).
import type { Clock } from '#shared/runtime/clock.ts';
import type { Stage } from './environment.ts';

export interface CallCaps {
  /** Concurrent calls of all environments of a step. */
  readonly atOnce: Readonly<Record<Stage, number>>;
  /** Of all steps together. */
  readonly perSecond: number;
}

/** The period over which the rate is counted, in seconds. */
const windowSeconds = 10;
/** A slot of the rate limiter may be used up to this much later. */
const lateSeconds = 1;

export interface CallWatch {
  /** A call starts. Returns a function to call when it is answered or abandoned. */
  begin(stage: Stage): () => void;
}

/** @param complain receives a description of each violation */
export function watchCalls(caps: CallCaps, clock: Clock, complain: (violation: string) => void): CallWatch {
  const underWay = new Map<Stage, Set<symbol>>();
  const most = caps.perSecond * (windowSeconds + lateSeconds);
  let begun: number[] = [];
  const checkRate = (now: number): void => {
    begun = [...begun.filter((at) => at > now - windowSeconds * 1000), now];
    if (begun.length > most) complain(`I7 ${begun.length} calls within ${windowSeconds} seconds, at most ${most}`);
  };
  return {
    begin: (stage) => {
      checkRate(clock());
      const calls = underWay.get(stage) ?? new Set();
      underWay.set(stage, calls);
      const call = Symbol(stage);
      calls.add(call);
      if (calls.size > caps.atOnce[stage])
        complain(`I7 ${calls.size} calls of ${stage} at once, at most ${caps.atOnce[stage]}`);
      return () => void calls.delete(call);
    },
  };
}
