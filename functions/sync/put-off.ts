// One thing that the service will not show must not keep the others waiting.
import type { RequestItem } from '#shared/domain/ledger.ts';
import { lookedAfter, portMissing } from '#shared/domain/request-state.ts';
import { ContractBroken, isRefusal, NotFound } from '#shared/porting/errors.ts';
import type { SyncParts } from './parts.ts';

/** The service said no to this one, or something that nobody understands: nothing follows from it for any other. */
export const concernsOnlyIt = (error: unknown): error is Error => isRefusal(error) || error instanceof ContractBroken;

/** The request is looked at again later, or is a person's by now; undefined when it changed meanwhile. */
export type PutOff = 'later' | 'people' | undefined;

/** What `step` answers, or what became of the request because its port could not be read. */
export async function unlessUnreadable<Result>(
  item: RequestItem,
  parts: SyncParts,
  step: () => Promise<Result>,
): Promise<Result | PutOff> {
  try {
    return await step();
  } catch (error) {
    if (!concernsOnlyIt(error)) throw error;
    return putOff(item, error, parts);
  }
}

async function putOff(item: RequestItem, error: Error, parts: SyncParts): Promise<PutOff> {
  const { requests, clocks, settings, metrics, log } = parts;
  const { importId, request } = item;
  log.error('the port of a request could not be read', { importId, request, error });
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  const next =
    error instanceof NotFound
      ? portMissing(item, error.message, times)
      : lookedAfter(item, times.now + settings.quietMs);
  if (!(await requests.replace(item, next))) return undefined;
  if (next.state !== 'needs-human') return 'later';
  metrics.count('requestsUnknown');
  return 'people';
}
