// A limit for each person, so that one open page or script does not take the capacity of all. API Gateway limits all
// persons together.
import type { Clock } from '#shared/runtime/clock.ts';

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** More persons than this are forgotten, the longest idle first. */
const maxCallers = 10_000;

/** Seconds to wait; 0 where the request may pass. */
export type TakeSlot = (callerId: string) => number;

export function createCallerLimit({ perSecond, burst }: RateLimit, clock: Clock): TakeSlot {
  const buckets = new Map<string, { slots: number; at: number }>();
  return (callerId) => {
    const now = clock();
    const before = buckets.get(callerId) ?? { slots: burst, at: now };
    const slots = Math.min(burst, before.slots + ((now - before.at) / 1_000) * perSecond);
    const isAllowed = slots >= 1;
    buckets.delete(callerId);
    buckets.set(callerId, { slots: isAllowed ? slots - 1 : slots, at: now });
    if (buckets.size > maxCallers) buckets.delete(buckets.keys().next().value ?? '');
    return isAllowed ? 0 : Math.max(1, Math.ceil((1 - slots) / perSecond));
  };
}
