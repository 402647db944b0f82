// The item of the results table with the state of the rate limiter and its circuit breaker.
import * as z from 'zod/mini';
import { instant } from '../schemas.ts';

const times = z.int().check(z.nonnegative());

/** All instants are wall time. */
export const rateLimitItem = z.object({
  revision: z.int().check(z.nonnegative()),
  /** The first slot that nobody has taken. */
  freeAt: instant,
  /** Since when foreground calls have taken every slot without a gap, and the end of the last slot they took. */
  foreground: z.optional(z.object({ since: instant, until: instant })),
  /** While they do, no background call is made before. */
  backgroundAt: z.optional(instant),
  /** The service asked for fewer calls: no call is made before. */
  pausedUntil: z.optional(instant),
  /** Rounds of calls that it asked so since it last answered a call of a round; a round is the calls after a pause. */
  pauses: z.optional(times),
  /** The end of the pause before this one: the beginning of the last round. */
  resumedAt: z.optional(instant),
  /** Consecutive failed calls: since when, how many, and the reason of the last one. */
  failing: z.optional(z.object({ since: instant, times, because: z.string() })),
  /** The circuit breaker is open: only one probe at a time is sent. */
  outage: z.optional(z.object({ probes: times, nextProbeAt: instant, probingUntil: z.optional(instant) })),
});
export type RateLimitItem = z.infer<typeof rateLimitItem>;
