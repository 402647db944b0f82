// A token bucket for each account: so many requests a second, and as many at once after a pause.
import type { Clock } from '#shared/runtime/clock.ts';

export interface RequestLimit {
  /** False if the account has no request left in this second. */
  take(accountId: number): boolean;
}

export function createRequestLimit(perSecond: number | undefined, wall: Clock): RequestLimit {
  if (perSecond === undefined) return { take: () => true };
  const buckets = new Map<number, { tokens: number; at: number }>();
  return {
    take(accountId) {
      const now = wall();
      const { tokens, at } = buckets.get(accountId) ?? { tokens: perSecond, at: now };
      const filled = Math.min(perSecond, tokens + (Math.max(0, now - at) / 1000) * perSecond);
      const isAllowed = filled >= 1;
      buckets.set(accountId, { tokens: isAllowed ? filled - 1 : filled, at: now });
      return isAllowed;
    },
  };
}
