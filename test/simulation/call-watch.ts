// Counts the calls that are under way, and those of the last seconds, and says at once when there are more than the caps
// allow (invariant I7).
import type { Clock } from '#shared/runtime/clock.ts';
import type { Stage } from './pipeline.ts';

export interface CallCaps {
  /** Calls of all environments of a stage at the same time. */
  readonly atOnce: Readonly<Record<Stage, number>>;
  /** Of all stages together. */
  readonly perSecond: number;
}

/** Over so many seconds the pace is counted. */
const windowSeconds = 10;
/** A place in line may be used up to so much later than it was given. */
const lateSeconds = 1;

export interface CallWatch {
  /** A call leaves; answers what to do when it is answered, or when nobody waits for its answer any more. */
  begin(stage: Stage): () => void;
}

/** @param complain told in words what must not have happened */
export function watchCalls(caps: CallCaps, clock: Clock, complain: (violation: string) => void): CallWatch {
  const underWay = new Map<Stage, Set<symbol>>();
  const most = caps.perSecond * (windowSeconds + lateSeconds);
  let begun: number[] = [];
  const keepPace = (now: number): void => {
    begun = [...begun.filter((at) => at > now - windowSeconds * 1000), now];
    if (begun.length > most) complain(`I7 ${begun.length} calls within ${windowSeconds} seconds, at most ${most}`);
  };
  return {
    begin: (stage) => {
      keepPace(clock());
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
