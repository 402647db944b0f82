// Writes the new state of a request to the ledger, and counts the transition.
import type { RequestItem, RequestState } from '#shared/domain/requests/ledger.ts';
import type { MetricName, Metrics } from '#shared/runtime/metrics.ts';
import type { SubmitDependencies } from './dependencies.ts';

/** The state of the request after the message, or `not-mine` where another message or sync handles it. */
export type SubmitOutcome = RequestState | 'not-mine';

/** The message needs no further work. */
export interface Finished {
  readonly finished: SubmitOutcome;
}

export type LedgerDependencies = Pick<SubmitDependencies, 'requests' | 'metrics'>;

/** Answers the stored request; undefined when it changed since it was read. */
export async function replaceRequest(
  seen: RequestItem,
  next: RequestItem,
  { requests, metrics }: LedgerDependencies,
): Promise<RequestItem | undefined> {
  const stored = await requests.replace(seen, next);
  if (stored !== undefined) countTransition(seen, stored, metrics);
  return stored;
}

export async function finishMessage(
  seen: RequestItem,
  next: RequestItem,
  dependencies: LedgerDependencies,
): Promise<Finished> {
  const stored = await replaceRequest(seen, next, dependencies);
  return { finished: stored?.state ?? 'not-mine' };
}

const countedAs: Partial<Record<RequestState, MetricName>> = {
  created: 'requestsCreated',
  accepted: 'requestsCreated',
  declined: 'requestsDeclined',
  unknown: 'requestsUnknown',
};

/** A state counts when the request enters it, so a duplicate that is found later does not count the request again. */
function countTransition(seen: RequestItem, next: RequestItem, metrics: Pick<Metrics, 'count'>): void {
  const name = next.state === seen.state ? undefined : countedAs[next.state];
  if (name !== undefined) metrics.count(name);
  const duplicates = (next.duplicatePortIds?.length ?? 0) - (seen.duplicatePortIds?.length ?? 0);
  if (duplicates > 0) metrics.count('duplicates', duplicates);
  const excluded = (next.excludedRows?.length ?? 0) - (seen.excludedRows?.length ?? 0);
  if (excluded > 0) metrics.count('rowsSkipped', excluded);
}
