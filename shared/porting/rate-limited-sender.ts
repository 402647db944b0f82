// A sender that waits for the rate limiter before each call and reports the outcome of the call to it.
import { nameOfCall } from './classify-response.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Sender, ServiceCall } from './sender.ts';

/** `probe` is the call that shows whether an outage is over; it must change nothing. */
export function rateLimitedSender(sender: Sender, rateLimiter: RateLimiter | undefined, probe: ServiceCall) {
  if (rateLimiter === undefined) return { send: sender, throwIfDeferred: async () => {}, ready: async () => {} };
  const sendProbe = () => sender(probe);
  const send: Sender = async (call) => {
    const begunAt = await rateLimiter.acquire(nameOfCall(call), sendProbe);
    let failure: unknown;
    try {
      return await sender(call);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await rateLimiter.recordOutcome(failure, begunAt);
    }
  };
  return {
    send,
    throwIfDeferred: () => rateLimiter.throwIfDeferred(sendProbe),
    ready: () => rateLimiter.ready(sendProbe),
  };
}
