// Counts the calls that are under way, and says at once when there are more than the caps allow (invariant I7).
import type { Stage } from './pipeline.ts';

/** Calls of all environments of a stage at the same time. */
export type CallCaps = Readonly<Record<Stage, number>>;

export interface CallWatch {
  /** A call leaves; answers what to do when it is answered, or when nobody waits for its answer any more. */
  begin(stage: Stage): () => void;
}

/** @param complain told in words what must not have happened */
export function watchCalls(caps: CallCaps, complain: (violation: string) => void): CallWatch {
  const underWay = new Map<Stage, Set<symbol>>();
  return {
    begin: (stage) => {
      const calls = underWay.get(stage) ?? new Set();
      underWay.set(stage, calls);
      const call = Symbol(stage);
      calls.add(call);
      if (calls.size > caps[stage]) complain(`I7 ${calls.size} calls of ${stage} at once, at most ${caps[stage]}`);
      return () => void calls.delete(call);
    },
  };
}
