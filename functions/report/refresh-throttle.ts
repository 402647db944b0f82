// The refresh throttle: how long report waits between two refreshes of a large import. A refresh reads all of its
// requests, so the more it has, the longer the wait: one import takes at most about a tenth of the time of one
// environment. One delayed message covers all changes during the wait.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { longestDelayMs } from '#shared/domain/longest-delay.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import type { ReportMessage } from '#shared/request/messages.ts';

/**
 * Reading and counting one request takes 0.1 ms of a core (docs/contributing/performance.md), so 0.3 ms of the third
 * that 512 MB buy: a tenth of this.
 */
const waitPerRequestMs = 3;
/** A shorter wait would change nothing: the queue gathers messages for as long (infra/environments.ts). */
const minWaitMs = 1_000;
/** The clocks of two environments differ by less. A message that is about to arrive does not count as waiting. */
const clockSkewMs = 2_000;

/** In milliseconds: 0 up to 333 requests, half a minute for 10,000. */
export function throttleWait(requestCount: number): number {
  const wait = requestCount * waitPerRequestMs;
  return wait < minWaitMs ? 0 : Math.min(wait, longestDelayMs);
}

interface Delivered {
  readonly message: ReportMessage;
  readonly isRedelivered: boolean;
}

/**
 * Returns whether the import may be refreshed now, and then starts its next wait. If not, a delayed message replaces
 * this one.
 * A redelivered message is never throttled: replaced each time, it would never be dead-lettered.
 */
export async function mayRefresh(
  item: ImportItem,
  { message, isRedelivered }: Delivered,
  pipeline: Pipeline,
  waitAfter = throttleWait,
): Promise<boolean> {
  const { importId, requestCount, throttledUntil = isoTime(0), refreshAt = '' } = item;
  const now = pipeline.clocks.wall();
  if (!isRedelivered && Date.parse(throttledUntil) > now) {
    if (refreshAt <= isoTime(now + clockSkewMs)) await sendDelayed(message, throttledUntil, pipeline);
    return false;
  }
  const wait = waitAfter(requestCount);
  if (wait > 0) await pipeline.imports.update(importId, { throttledUntil: isoTime(now + wait) });
  return true;
}

/** Sends before it stores: a stored time without a message would suppress the messages of later changes. */
async function sendDelayed(
  message: ReportMessage,
  refreshAt: string,
  { imports, queues, resources, clocks }: Pipeline,
): Promise<void> {
  const delaySeconds = (Date.parse(refreshAt) - clocks.wall()) / 1000;
  await queues.send(resources.reportQueueUrl, [message], { delaySeconds });
  await imports.update(message.importId, { refreshAt });
}
