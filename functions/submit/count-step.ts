// What the metrics are told of a step that the ledger holds.
import type { RequestItem, RequestState } from '#shared/domain/ledger.ts';
import type { MetricName, Metrics } from '#shared/runtime/metrics.ts';

const countedAs: Partial<Record<RequestState, MetricName>> = {
  created: 'requestsCreated',
  accepted: 'requestsCreated',
  refused: 'requestsRefused',
  unknown: 'requestsUnknown',
};

/** A state counts when it is come to: a duplicate that is found later does not make the request anew. */
export function countStep(seen: RequestItem, next: RequestItem, metrics: Metrics): void {
  const name = next.state === seen.state ? undefined : countedAs[next.state];
  if (name !== undefined) metrics.count(name);
  const duplicates = (next.duplicatePortIds?.length ?? 0) - (seen.duplicatePortIds?.length ?? 0);
  if (duplicates > 0) metrics.count('duplicates', duplicates);
  const withdrawn = (next.withdrawn?.length ?? 0) - (seen.withdrawn?.length ?? 0);
  if (withdrawn > 0) metrics.count('rowsWithdrawn', withdrawn);
}
