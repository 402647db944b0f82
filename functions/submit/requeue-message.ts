// Nothing was sent: the request goes back to the queue with a delay.

import { submitMessageOf } from '#shared/domain/imports/plan.ts';
import type { RequestItem } from '#shared/domain/requests/ledger.ts';
import { requeueRequest } from '#shared/domain/requests/request-state.ts';
import { moveRequest } from '#shared/ledger/move-request.ts';
import type { PortingFailure } from '#shared/porting/errors.ts';
import { errorOf } from './call-service.ts';
import type { SubmitDependencies } from './dependencies.ts';
import type { Finished } from './finish-message.ts';

/** Delays double from here ... */
const firstDelayMs = 5_000;
/** ... up to the longest delay that SQS allows. */
const longestDelayMs = 15 * 60_000;
/** A person has to replace the credentials: asking every few seconds does not help. */
const credentialsDelayMs = 5 * 60_000;

/** Sends a new message for the request, so that the receive count of the present one does not grow (fault 40). */
export async function requeueMessage(
  seen: RequestItem,
  failure: PortingFailure,
  dependencies: SubmitDependencies,
): Promise<Finished> {
  const { queues, settings, clocks, random, log } = dependencies;
  const delayMs = delayAfter(failure, Math.max(1, seen.attempt), random());
  const next = requeueRequest(seen, errorOf(failure), clocks.wall(), delayMs);
  if ((await moveRequest(seen, next, dependencies)) === undefined) return { finished: 'not-mine' };
  await queues.send(settings.submitQueueUrl, [submitMessageOf(seen)], { delaySeconds: delayMs / 1000 });
  const { importId, request } = seen;
  log.warn('a request was requeued', { importId, request, because: failure.kind, delayMs: Math.round(delayMs) });
  return { finished: 'planned' };
}

/**
 * Exponential, with jitter in its upper half, and never shorter than the service asks for.
 * @param attempt counts from 1
 */
export function delayAfter(failure: PortingFailure, attempt: number, random: number): number {
  if (failure.kind === 'credentials-rejected') return credentialsDelayMs;
  const requestedMs = 'retryAfterMs' in failure ? failure.retryAfterMs : 0;
  const backoffMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempt - 1, 10)) * (0.5 + random / 2);
  return Math.min(longestDelayMs, Math.max(requestedMs * (1 + random / 10), backoffMs));
}
