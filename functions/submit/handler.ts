// The submit queue: each message is one request, and succeeds or fails alone.
import { decodeMessage, type ReportMessage, type SubmitMessage, submitMessage } from '#shared/request/messages.ts';
import type { Deadline } from '#shared/runtime/clock.ts';
import { createQueueHandler, type Delivery, type QueueStep } from '#shared/runtime/step.ts';
import type { Queues } from '#shared/store/queues.ts';
import type { SubmitOutcome } from './end-message.ts';

/** What the messages of one batch share. */
export interface SubmitBatch {
  readonly deadline: Deadline;
  /** Called with each import, beside the message's own, of which something changed. */
  readonly onImportChanged: (importId: string) => void;
  readonly readsBack: () => boolean;
}

export interface SubmitHandlerDependencies extends Pick<QueueStep<SubmitMessage>, 'log' | 'metrics' | 'retryLater'> {
  /** A fresh use case for one batch: what it looks up is kept no longer than that. */
  readonly submitterFor: (batch: SubmitBatch) => (message: SubmitMessage) => Promise<SubmitOutcome>;
  /** Whether the calls of all instances use the whole rate limit. */
  readonly isSaturated: () => boolean;
  readonly queues: Queues;
  readonly reportQueueUrl: string;
}

/**
 * The requests of a batch are sent at the same time: the service may take a second to answer, and the rate limiter
 * decides when each call begins (docs/decisions/0041).
 */
export function createSubmitHandler(dependencies: SubmitHandlerDependencies) {
  const { submitterFor, isSaturated, log } = dependencies;
  return createQueueHandler<SubmitMessage>({
    ...dependencies,
    decode: (body) => decodeMessage(submitMessage, body),
    handle: async (deliveries, { deadline }) => {
      const changed = new Set<string>();
      let readsBack: boolean | undefined;
      const submitOne = submitterFor({
        deadline,
        onImportChanged: (importId) => changed.add(importId),
        // Decided once: the requests of a batch that make one call would wait for those that make two.
        readsBack: () => (readsBack ??= !isSaturated()),
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
      await notifyReport([...changed], dependencies);
      return failed;
    },
  });
}

/**
 * Once per import and batch. If the message is lost, the next change of the import, or sync, notifies report as well.
 */
async function notifyReport(
  importIds: readonly string[],
  { queues, reportQueueUrl, log }: SubmitHandlerDependencies,
): Promise<void> {
  if (importIds.length === 0) return;
  const messages: ReportMessage[] = importIds.map((importId) => ({ importId }));
  try {
    await queues.send(reportQueueUrl, messages);
  } catch (error) {
    log.error('report could not be notified', { imports: importIds.length, error });
  }
}
