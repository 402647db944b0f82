// A sender that waits for the rate limiter before each call and reports the outcome of the call to it.
import { nameOfCall } from '#shared/service/classify-response.ts';
import { CredentialsRejected, isDecline } from '#shared/service/errors.ts';
import type { RateLimiter } from '#shared/service/rate-limiter.ts';
import type { Sender, ServiceCall } from './sender.ts';

/** Every account has what the probe reads: a service that declines it gives these credentials no access. */
async function sendProbe(sender: Sender, probe: ServiceCall) {
  try {
    return await sender(probe);
  } catch (error) {
    if (!isDecline(error)) throw error;
    throw new CredentialsRejected(error.decline.message, error);
  }
}

/** `probe` is the call that shows whether an outage is over; it must change nothing. */
export function rateLimitedSender(sender: Sender, rateLimiter: RateLimiter | undefined, probe: ServiceCall) {
  if (rateLimiter === undefined) return { send: sender, throwIfDeferred: async () => {}, ready: async () => {} };
  const check = () => sendProbe(sender, probe);
  const send: Sender = async (call) => {
    const begunAt = await rateLimiter.acquire(nameOfCall(call), check);
    let failure: unknown;
    try {
      return await (call.method === probe.method && call.path === probe.path ? check() : sender(call));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await rateLimiter.recordOutcome(failure, begunAt);
    }
  };
  return {
    send,
    throwIfDeferred: () => rateLimiter.throwIfDeferred(check),
    ready: () => rateLimiter.ready(check),
  };
}
