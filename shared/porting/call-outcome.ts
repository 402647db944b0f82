// What the end of a call means for the rate limiter and its circuit breaker.

import { truncate } from '#shared/domain/text/truncate.ts';
import type { CallOutcome } from '#shared/request/rate-limit.ts';
import { isPortingFailure, type PortingFailure } from '#shared/service/errors.ts';

/** An error that is no porting failure cannot have come from the service. */
export function outcomeOfCall(failure: unknown, begunAt?: number): CallOutcome {
  if (!isPortingFailure(failure) || failure.serviceHealth === 'up') return { kind: 'ok', begunAt };
  if (failure.kind === 'rate-limited') return { kind: 'rate-limited', askedMs: failure.retryAfterMs, begunAt };
  return failed(failure);
}

/** A probe reads what every account has, so any answer but a good one means that the service is still down. */
export async function outcomeOfProbe(probe: () => Promise<unknown>): Promise<CallOutcome> {
  try {
    await probe();
    return { kind: 'ok' };
  } catch (error) {
    if (!isPortingFailure(error)) throw error;
    return error.kind === 'rate-limited' ? outcomeOfCall(error) : failed(error);
  }
}

/** Without the name of the call: an outage is not about a single call. */
const failed = ({ kind, message, call }: PortingFailure): CallOutcome => ({
  kind: 'failed',
  because: truncate(message.replace(`${call}: `, ''), 200),
  credentials: kind === 'credentials-rejected',
});
