// Sends requests to submit again.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { submitMessageOf } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { planAgain } from '#shared/request/request-state.ts';
import { isDeadlineNear, type SyncPipeline, type SyncRun } from '../dependencies.ts';
import { runLimits } from '../intervals.ts';

const batchSize = 100;

/**
 * Writes the item before it sends the message: a crash in between costs one more wait, but never two messages in every
 * run.
 */
export async function resendMessages(
  items: readonly RequestItem[],
  pipeline: SyncPipeline,
  step: (item: RequestItem, now: number) => RequestItem,
): Promise<number> {
  const { queues, resources, clocks } = pipeline;
  let sent = 0;
  for (let start = 0; start < items.length && !isDeadlineNear(pipeline); start += batchSize) {
    const written: RequestItem[] = [];
    for (const item of items.slice(start, start + batchSize)) {
      const stored = await moveRequest(item, step(item, clocks.wall()), pipeline);
      if (stored !== undefined) written.push(stored);
    }
    await queues.send(resources.submitQueueUrl, written.map(submitMessageOf));
    sent += written.length;
  }
  return sent;
}

/** Sends the requests whose day has come, and returns their number. Adds their imports to `changed`. */
export async function sendScheduled(run: SyncRun, changed: Set<string>): Promise<number> {
  const { requests, clocks, failures } = run;
  const due = await requests.scheduled(isoTime(clocks.calendar()), runLimits.scheduled, failures.noteUnreadable);
  for (const { importId } of due) changed.add(importId);
  return resendMessages(due, run, planAgain);
}
