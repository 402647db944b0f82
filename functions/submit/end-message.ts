// The request after the end of an attempt, and how long its message waits.
import { longestDelayMs } from '#shared/import/import-state.ts';
import type { Submission } from '#shared/operations/operation.ts';
import type { RequestError, RequestItem } from '#shared/request/request.ts';
import {
  applyAnswer,
  believeDecline,
  declineBeforeSending,
  markActionRequired,
  requeueRequest,
  skipRequest,
  stoppedError,
  suspendDecline,
  type Times,
} from '#shared/request/request-state.ts';
import { endStopped, scheduleRequest, stopRequest } from '#shared/request/waiting-request.ts';
import { isDecline, isPortingFailure, type PortingFailure } from '#shared/service/errors.ts';
import { truncate } from '#shared/text/wording.ts';
import { type End, planExpired } from './attempt.ts';

export interface EndTimes extends Times {
  /** How long a requeued message waits. */
  readonly delayMs: number;
}

/** The request after the end of an attempt; undefined where nothing changes. */
export function requestAfter(
  request: RequestItem,
  submission: Submission,
  end: End,
  times: EndTimes,
): RequestItem | undefined {
  const { now } = times;
  switch (end.how) {
    case 'sent':
      return applyAnswer(request, end.attempt.request.attempt, end.answer, times);
    case 'requeued':
      return requeueRequest(request, errorOf(end.failure), now, times.delayMs);
    case 'declined':
      if (mayHaveBeenSent(request, submission)) return suspendDecline(request, { error: end.error }, times);
      return isStillUnknown(request, submission, end.error)
        ? markActionRequired(request, describeUnsent(end.error), now)
        : declineBeforeSending({ ...request, ...end.rows }, end.error, now);
    case 'judged':
      return believeDecline(request, end.declined, now);
    case 'skipped':
      return skipRequest(request, end.excludedRows, now);
    case 'scheduled':
      return scheduleRequest(request, end.schedule, now);
    case 'stopped':
      if (isStillUnknown(request, submission, stoppedError))
        return markActionRequired(request, describeUnsent(stoppedError), now);
      if (end.lines === undefined) return stopRequest(request, now);
      return mayHaveBeenSent(request, submission)
        ? suspendDecline(request, { error: stoppedError }, times)
        : endStopped(request, end.lines, now);
    case 'left':
      return undefined;
  }
}

/** An earlier attempt of unknown outcome may still create a port: then the port list is searched first. */
const mayHaveBeenSent = ({ hasUnknownAttempt }: RequestItem, { makes }: Submission): boolean =>
  makes === 'port' && hasUnknownAttempt === true;

/**
 * It is not sent again, and what became of an earlier call is as unknown as before. Of a change this was read in its
 * port, unless its plan has expired.
 */
const isStillUnknown = ({ hasUnknownAttempt }: RequestItem, { makes }: Submission, { kind }: RequestError): boolean =>
  hasUnknownAttempt === true && (makes === 'ticket' || (makes === 'change' && kind === planExpired.error.kind));

const describeUnsent = ({ message }: RequestError): string =>
  `It was not sent again, and whether the service has executed it is still unknown: ${message}`;

/** Delays double from here. The rate limiter tracks outages, so messages do not wait long after an outage ends. */
const firstDelayMs = 5_000;
const longestBackoffMs = 40_000;
/** A person has to replace the credentials, or to give them access: asking every few seconds does not help. */
const accessDelayMs = 5 * 60_000;

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

/** @param check rejects with the reason why no call may be made now */
export async function requeueIfRejected(check: Promise<void>): Promise<End | undefined> {
  try {
    await check;
    return undefined;
  } catch (failure) {
    if (isPortingFailure(failure)) return { how: 'requeued', failure };
    throw failure;
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
