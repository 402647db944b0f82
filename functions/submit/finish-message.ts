// How a message ends: with the state of its request, which may be declined before anything was sent.
import type { RequestError, RequestItem, RequestState } from '#shared/domain/requests/ledger.ts';
import { declineBeforeSending, suspendDecline } from '#shared/domain/requests/request-state.ts';
import { type LedgerDependencies, moveRequest } from '#shared/ledger/move-request.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import type { SubmitDependencies } from './dependencies.ts';

/** The state of the request after the message, or `not-mine` where another message or sync handles it. */
export type SubmitOutcome = RequestState | 'not-mine';

/** The message needs no further work. */
export interface Finished {
  readonly finished: SubmitOutcome;
}

export async function finishMessage(
  seen: RequestItem,
  next: RequestItem,
  dependencies: LedgerDependencies,
): Promise<Finished> {
  const stored = await moveRequest(seen, next, dependencies);
  return { finished: stored?.state ?? 'not-mine' };
}

/**
 * Declines a request that simporter cannot send: its plan expired, or its date can no longer be booked.
 * An earlier attempt of unknown outcome may still create a port: then the port list is searched first.
 */
export async function declineUnsent(
  item: RequestItem,
  next: RequestItem,
  error: RequestError,
  { makes }: Submission,
  dependencies: SubmitDependencies,
): Promise<Finished> {
  const { clocks, settings } = dependencies;
  const now = clocks.wall();
  const isDoubtful = makes === 'port' && item.hasUnknownAttempt === true;
  const declined = isDoubtful
    ? suspendDecline(
        { ...next, lines: item.lines, excludedRows: item.excludedRows },
        { error },
        { now, quietMs: settings.quietMs },
      )
    : declineBeforeSending(next, error, now);
  return finishMessage(item, declined, dependencies);
}
