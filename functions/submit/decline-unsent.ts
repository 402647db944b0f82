// Declines a request that simporter cannot send: its plan expired, or its date can no longer be booked.
import type { RequestError, RequestItem } from '#shared/domain/requests/ledger.ts';
import { declineBeforeSending, suspendDecline } from '#shared/domain/requests/request-state.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import type { SubmitDependencies } from './dependencies.ts';
import { type Finished, finishMessage } from './finish-message.ts';

/** An earlier attempt of unknown outcome may still create a port: then the port list is searched first. */
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
