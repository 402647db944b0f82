// Stops an import, or resumes it. Submit reads the stop before each call, so only its requests that wait without a
// message need one here: then submit leaves, ends or sends each.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { findStopProblem, isStopped } from '#shared/domain/imports/stop.ts';
import { continueStopped } from '#shared/domain/requests/stopped-request.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { ImportStop } from '#shared/items/import-stop.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { submitMessageOf } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/deadline.ts';
import type { IngestPipeline } from './dependencies.ts';
import { inBatches, ReleaseHalted } from './release.ts';

/** Longer than submit uses a reading of the import: each message then meets the new one. */
const delaySeconds = 2;

/**
 * Records the command, and sends a message for each request that was not sent when the import goes on or ends for good.
 * In a state that takes no such command nothing happens. undefined: there is no such import. May be repeated.
 * @throws ReleaseHalted when time is short, and what the table and the queue throw: repeat the message
 */
export async function stopImport(
  importId: string,
  stop: ImportStop,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, clocks } = pipeline;
  const { kind, at } = stop;
  const item = await imports.get(importId);
  if (item === undefined) return undefined;
  const isOutdated = item.stop !== undefined && item.stop.at > at;
  const isRepeated = item.stop?.kind === kind && item.stop.at === at;
  if (isOutdated || (!isRepeated && findStopProblem(item, kind) !== undefined)) return item;
  const isResumed = kind === 'none' && !isRepeated && item.state === 'stopped';
  const state = isResumed ? 'submitting' : item.state;
  // An import that moves to another state at the same time is stopped in that one: the message comes again.
  const changed = await imports.update(importId, { stop, changedAt: isoTime(clocks.wall()), state }, [item.state]);
  if (changed === undefined) throw new Error(`import ${importId} changed while it was stopped`);
  const isUnsent = ({ state }: RequestItem) =>
    state === 'scheduled' || (state === 'planned' && kind !== 'until-resumed');
  await sendUnsent(changed, isUnsent, deadline, pipeline);
  return changed;
}

async function sendUnsent(
  { importId }: ImportItem,
  isUnsent: (request: RequestItem) => boolean,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<void> {
  const { requests, queues, resources } = pipeline;
  for await (const batch of inBatches(requests.ofImport(importId))) {
    if (!deadline.hasTimeFor(timeNeeded.cleanUp))
      throw new ReleaseHalted(`not every request of ${importId} has a message`);
    const waiting = await Promise.all(batch.filter(isUnsent).map((request) => continueWaiting(request, pipeline)));
    await queues.send(resources.submitQueueUrl, waiting.map(submitMessageOf), { delaySeconds });
  }
}

async function continueWaiting(request: RequestItem, pipeline: IngestPipeline): Promise<RequestItem> {
  if (!isStopped(request) && request.state !== 'scheduled') return request;
  const continued = continueStopped(request, pipeline.clocks.wall());
  const stored = await moveRequest(request, continued, pipeline);
  if (stored !== undefined) return stored;
  // Submit or sync checked it at the same moment, and may have left it again.
  const now = await pipeline.requests.get(request.importId, request.request);
  return now?.state === 'planned' && isStopped(now) ? continueWaiting(now, pipeline) : request;
}
