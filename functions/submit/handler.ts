// The submit queue: each message is one request, and succeeds or fails alone.
import type { ServicePipeline } from '#shared/pipeline/pipeline.ts';
import { decodeMessage, type ReportMessage, type SubmitMessage, submitMessage } from '#shared/request/messages.ts';
import { createQueueHandler, type Delivery, type RetryLater } from '#shared/runtime/step.ts';
import type { SubmitBatch, SubmitOutcome } from './attempt.ts';
import type { ImportReadings } from './stopped-imports.ts';

interface SubmitStep extends ServicePipeline {
  readonly isRefreshPlanned: ImportReadings['isRefreshPlanned'];
  /** A fresh use case for one batch: what it looks up is kept no longer than that. */
  readonly submitterFor: (batch: SubmitBatch) => (message: SubmitMessage) => Promise<SubmitOutcome>;
  readonly retryLater: RetryLater;
}

/**
 * The requests of a batch are sent at the same time: the service may take a second to answer, and the rate limiter
 * decides when each call begins (docs/decisions/0041).
 */
export function createSubmitHandler(step: SubmitStep) {
  const { submitterFor, isRefreshPlanned, rateLimiter, retryLater, clocks, log, metrics } = step;
  const openedAt = clocks.wall();
  return createQueueHandler<SubmitMessage>({
    log,
    metrics,
    retryLater,
    decode: (body) => decodeMessage(submitMessage, body),
    handle: async (deliveries, { deadline }) => {
      const changed = new Set<string>();
      if (isFromQueue(deliveries, openedAt, clocks.wall())) rateLimiter.noteQueue();
      let readsBack: boolean | undefined;
      const submitOne = submitterFor({
        deadline,
        onImportChanged: (importId) => changed.add(importId),
        // Decided once: the requests of a batch that make one call would wait for those that make two.
        readsBack: () => (readsBack ??= !rateLimiter.isSaturated()),
      });
      const failed: Delivery<SubmitMessage>[] = [];
      const handleOne = async (delivery: Delivery<SubmitMessage>): Promise<void> => {
        const { importId, request } = delivery.message;
        try {
          if ((await submitOne(delivery.message)) !== 'not-mine') changed.add(importId);
        } catch (error) {
          log.error('a request could not be submitted', { importId, request, error });
          failed.push(delivery);
        }
      };
      await Promise.all(deliveries.map(handleOne));
      const unannounced = [...changed].filter((importId) => !isRefreshPlanned(importId));
      await notifyReport(unannounced, step);
      return failed;
    },
  });
}

/** A small import is sent sooner. */
const queuedMs = 5_000;

/** Whether messages waited though this instance could take them. A single one may have been sent with a delay. */
const isFromQueue = (deliveries: readonly Delivery<SubmitMessage>[], openedAt: number, now: number): boolean =>
  deliveries.length > 1 &&
  deliveries.every(({ record }) => now - Math.max(openedAt, Number(record.attributes.SentTimestamp)) >= queuedMs);

/**
 * Once per import and batch, unless report reads the import anyway: the next refresh of a large one is planned. If the
 * message is lost, the next change of the import, or sync, notifies report as well.
 */
async function notifyReport(importIds: readonly string[], { queues, resources, log }: ServicePipeline): Promise<void> {
  if (importIds.length === 0) return;
  const messages: ReportMessage[] = importIds.map((importId) => ({ importId }));
  try {
    await queues.send(resources.reportQueueUrl, messages);
  } catch (error) {
    log.error('report could not be notified', { imports: importIds.length, error });
  }
}
