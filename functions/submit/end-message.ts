// How a message ends without an answer of the service: with the state of its request, or back in the queue.
import { longestDelayMs } from '#shared/domain/longest-delay.ts';
import { declineBeforeSending, requeueRequest, suspendDecline } from '#shared/domain/requests/request-state.ts';
import { truncate } from '#shared/domain/text/truncate.ts';
import type { RequestError, RequestItem, RequestState } from '#shared/items/request.ts';
import { type LedgerDependencies, moveRequest } from '#shared/ledger/move-request.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import { isDecline, isPortingFailure, type PortingFailure } from '#shared/porting/errors.ts';
import type { SubmitDependencies } from './dependencies.ts';

/** The state of the request after the message, or `not-mine` where another message or sync handles it. */
export type SubmitOutcome = RequestState | 'not-mine';

/** The message needs no further work. */
export interface Finished {
  readonly finished: SubmitOutcome;
  /** The request is to be sent again after this time. */
  readonly resendAfterMs?: number;
}

export async function finishMessage(
  seen: RequestItem,
  next: RequestItem,
  dependencies: LedgerDependencies,
): Promise<Finished> {
  const stored = await moveRequest(seen, next, dependencies);
  return { finished: stored?.state ?? 'not-mine' };
}

export const planExpired = {
  kind: 'plan-expired',
  message: 'the plan of this import has expired: import the file again',
};

/** An earlier attempt of unknown outcome may still create a port. */
export const mayHaveBeenSent = ({ hasUnknownAttempt }: RequestItem, { makes }: Submission): boolean =>
  makes === 'port' && hasUnknownAttempt === true;

/**
 * Declines a request that simporter cannot send: its plan expired, or its date can no longer be booked.
 * An earlier attempt of unknown outcome may still create a port: then the port list is searched first.
 */
export async function declineUnsent(
  item: RequestItem,
  next: RequestItem,
  error: RequestError,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<Finished> {
  const { clocks, settings } = dependencies;
  const now = clocks.wall();
  const declined = mayHaveBeenSent(item, submission)
    ? suspendDecline(
        { ...next, lines: item.lines, excludedRows: item.excludedRows },
        { error },
        { now, quietMs: settings.quietMs },
      )
    : declineBeforeSending(next, error, now);
  return finishMessage(item, declined, dependencies);
}

/** Delays double from here. The rate limiter tracks outages, so messages do not wait long after an outage ends. */
const firstDelayMs = 5_000;
const longestBackoffMs = 40_000;
/** A person has to replace the credentials, or to give them access: asking every few seconds does not help. */
const accessDelayMs = 5 * 60_000;

export async function requeueMessage(
  seen: RequestItem,
  failure: PortingFailure,
  dependencies: SubmitDependencies,
): Promise<Finished> {
  const { clocks, random, log } = dependencies;
  const delayMs = delayAfter(failure, Math.max(1, seen.attempt), random());
  const next = requeueRequest(seen, errorOf(failure), clocks.wall(), delayMs);
  if ((await moveRequest(seen, next, dependencies)) === undefined) return { finished: 'not-mine' };
  const { importId, request } = seen;
  log.warn('a request was requeued', { importId, request, because: failure.kind, delayMs: Math.round(delayMs) });
  return { finished: 'planned', resendAfterMs: delayMs };
}

/**
 * Exponential, with jitter in its upper half, and never shorter than the service asks for.
 * @param attempt counts from 1
 */
export function delayAfter(failure: PortingFailure, attempt: number, random: number): number {
  if (failure.kind === 'credentials-rejected' || isDecline(failure)) return accessDelayMs;
  const requestedMs = 'retryAfterMs' in failure ? failure.retryAfterMs : 0;
  const doubled = failure.kind === 'deferred' ? firstDelayMs : firstDelayMs * 2 ** (attempt - 1);
  const backoffMs = Math.min(longestBackoffMs, doubled) * (0.5 + random / 2);
  return Math.min(longestDelayMs, Math.max(requestedMs * (1 + random / 10), backoffMs));
}

/** Why no call may be made now, as the client answers; undefined where one may. */
export async function failureOf(check: Promise<void>): Promise<PortingFailure | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (isPortingFailure(error)) return error;
    throw error;
  }
}

const longestError = 2_000;

/** A failure as the ledger stores it. The client has redacted its messages. */
export function errorOf(error: unknown): RequestError {
  if (!isPortingFailure(error)) {
    return { kind: 'unexpected', message: error instanceof Error ? error.message : String(error) };
  }
  // The user needs the answer of the service, not the name of the call.
  const message = isDecline(error) ? error.decline.message : error.message;
  const stored: RequestError = { kind: error.kind, message: truncate(message, longestError) };
  if (error.status !== undefined) stored.status = error.status;
  return stored;
}
