// How a message ends: with the state of its request.
import type { RequestItem, RequestState } from '#shared/domain/requests/ledger.ts';
import { type LedgerDependencies, moveRequest } from '#shared/ledger/move-request.ts';

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
