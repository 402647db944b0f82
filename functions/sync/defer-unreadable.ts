// A request whose port cannot be read is deferred, so that the others need not wait for it.
import type { RequestItem } from '#shared/domain/requests/ledger.ts';
import { deferUnreadable, recordMissingPort } from '#shared/domain/requests/unknown-outcome.ts';
import { NotFound } from '#shared/porting/errors.ts';
import type { RunDependencies } from './dependencies.ts';

/** undefined: the request stays due, was declined, or changed meanwhile. */
export type Unsettled = 'actionRequired' | undefined;

export type DeferDependencies = Pick<
  RunDependencies,
  'requests' | 'settings' | 'clocks' | 'failures' | 'log' | 'metrics'
>;

/** What `step` answers, or the state of the request after its port could not be read. */
export async function deferIfUnreadable<Result>(
  item: RequestItem,
  dependencies: DeferDependencies,
  step: () => Promise<Result>,
): Promise<Result | Unsettled> {
  const { failures, clocks, settings, log } = dependencies;
  try {
    return await step();
  } catch (error) {
    if (!(await failures.isIsolatedFailure(error))) throw error;
    log.error('the port of a request could not be read', { importId: item.importId, request: item.request, error });
    failures.noteDeferred(error);
    const times = { now: clocks.wall(), quietMs: settings.quietMs };
    const isMissing = error instanceof NotFound;
    const next = isMissing ? recordMissingPort(item, error.message, times) : deferUnreadable(item, times);
    return replaceUnsettled(item, next, dependencies);
  }
}

/** Writes a request whose port was not found, and counts it when it was declined or action is required. */
export async function replaceUnsettled(
  item: RequestItem,
  next: RequestItem,
  { requests, metrics }: Pick<RunDependencies, 'requests' | 'metrics'>,
): Promise<Unsettled> {
  if ((await requests.replace(item, next)) === undefined) return undefined;
  if (next.state === 'declined') metrics.count('requestsDeclined');
  if (next.state !== 'action-required') return undefined;
  metrics.count('requestsUnknown');
  return 'actionRequired';
}
