// Nothing was sent: when the request's turn comes again.
import type { RequestItem } from '#shared/domain/ledger.ts';
import { postponed } from '#shared/domain/request-state.ts';
import type { PortingFailure } from '#shared/porting/errors.ts';
import { errorOf } from './call.ts';
import type { Left } from './leave.ts';
import type { SubmitParts } from './parts.ts';

/** The waits double from here … */
const firstWaitMs = 5_000;
/** … up to what SQS can delay a message. */
const longestWaitMs = 15 * 60_000;
/** Credentials are mended by a person: asking every few seconds helps nobody. */
const credentialsWaitMs = 5 * 60_000;

/** Back in line with a message of its own, so that the receive count of this one is not burnt (fault 40). */
export async function postpone(seen: RequestItem, failure: PortingFailure, parts: SubmitParts): Promise<Left> {
  const { requests, queues, settings, clocks, log } = parts;
  const waitMs = waitAfter(failure, Math.max(1, seen.attempt), parts.random());
  if (!(await requests.replace(seen, postponed(seen, errorOf(failure), clocks.wall(), waitMs)))) {
    return { left: 'not-mine' };
  }
  const { importId, request, plan } = seen;
  await queues.send(settings.submitQueueUrl, [{ importId, request, plan }], { delaySeconds: waitMs / 1000 });
  log.warn('not sent, will be tried again', { importId, request, because: failure.kind, waitMs: Math.round(waitMs) });
  return { left: 'planned' };
}

/** Exponential with jitter in the upper half, never before the service allows; `attempt` counts from 1. */
export function waitAfter(failure: PortingFailure, attempt: number, random: number): number {
  if (failure.kind === 'credentials-refused') return credentialsWaitMs;
  const asked = 'retryAfterMs' in failure ? failure.retryAfterMs : 0;
  const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(attempt - 1, 10)) * (0.5 + random / 2);
  return Math.min(longestWaitMs, Math.max(asked * (1 + random / 10), backoff));
}
