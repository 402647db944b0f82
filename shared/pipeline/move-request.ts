// The one writer of requests: replaces a request by its next state, and counts and logs the change.
import type { RequestItem, RequestState } from '#shared/request/request.ts';
import { isUndecided } from '#shared/request/request-state.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics, PlainMetric } from '#shared/runtime/metrics.ts';
import type { ServicePipeline } from './pipeline.ts';

/** Returns the request as it is stored; undefined when it changed since it was read: then nothing was written. */
export async function moveRequest(
  seen: RequestItem,
  next: RequestItem,
  { requests, metrics, log }: ServicePipeline,
): Promise<RequestItem | undefined> {
  const stored = await requests.replace(seen, next);
  if (stored === undefined) return undefined;
  countMove(seen, stored, metrics);
  logMove(seen, stored, log);
  return stored;
}

/** A state counts when the request enters it. A divided request counts with its parts. */
const countedAs: Partial<Record<RequestState, PlainMetric>> = {
  created: 'requestsCreated',
  accepted: 'requestsCreated',
  declined: 'requestsDeclined',
  unknown: 'requestsUnknown',
  'action-required': 'requestsUnresolved',
};

/** States that are reached without a call: the log of a call has its answer. */
function logMove(seen: RequestItem, { importId, request, state, error }: RequestItem, log: Log) {
  if (state === seen.state || seen.state === 'in-flight') return;
  const about = { importId, request, was: seen.state, because: error?.kind };
  if (state === 'action-required') log.error('a request requires action', about);
  if (state === 'declined' && !isUndecided(seen)) log.warn('a request was declined before it was sent', about);
}

function countMove(seen: RequestItem, next: RequestItem, metrics: Metrics): void {
  const name = next.state === seen.state || next.parts !== undefined ? undefined : countedAs[next.state];
  if (name !== undefined) metrics.count(name);
  const duplicates = (next.duplicatePortIds?.length ?? 0) - (seen.duplicatePortIds?.length ?? 0);
  const late = Number(next.isLate === true && seen.isLate !== true);
  if (duplicates + late > 0) metrics.count('duplicates', duplicates + late);
  const excluded = (next.excludedRows?.length ?? 0) - (seen.excludedRows?.length ?? 0);
  if (excluded > 0) metrics.count('rowsSkipped', excluded);
}
