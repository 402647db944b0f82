// A request whose port cannot be read is deferred, so that the others need not wait for it.

import { moveRequest } from '#shared/pipeline/move-request.ts';
import type { ServicePipeline } from '#shared/pipeline/pipeline.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { deferUnreadable, recordMissingPort } from '#shared/request/waiting-request.ts';
import { NotFound } from '#shared/service/errors.ts';
import type { SyncRun } from './dependencies.ts';

/** undefined: the request stays due, was declined, or changed meanwhile. */
export type Unsettled = 'actionRequired' | undefined;

/** Returns the result of `step`, or the state of the request after its port could not be read. */
export async function deferIfUnreadable<Result>(
  item: RequestItem,
  run: SyncRun,
  step: () => Promise<Result>,
): Promise<Result | Unsettled> {
  const { failures, clocks, settings, log } = run;
  try {
    return await step();
  } catch (error) {
    if (!(await failures.isIsolatedFailure(error))) throw error;
    log.error('the port of a request could not be read', { importId: item.importId, request: item.request, error });
    failures.noteDeferred(error);
    const times = { now: clocks.wall(), quietMs: settings.quietMs };
    const isMissing = error instanceof NotFound;
    const next = isMissing ? recordMissingPort(item, error.message, times) : deferUnreadable(item, times);
    return moveUnsettled(item, next, run);
  }
}

/** Writes a request whose port was not found. */
export async function moveUnsettled(
  item: RequestItem,
  next: RequestItem,
  pipeline: ServicePipeline,
): Promise<Unsettled> {
  const stored = await moveRequest(item, next, pipeline);
  return stored?.state === 'action-required' ? 'actionRequired' : undefined;
}
