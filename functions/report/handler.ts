// The report queue: hundreds of messages about the same few imports, so each import is reported on once per batch.
import type { ImportItem } from '#shared/import/import.ts';
import { isRefreshPlanned } from '#shared/import/import-state.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { decodeMessage, type ReportMessage, reportMessage } from '#shared/request/messages.ts';
import { readRowParts } from '#shared/results/parts.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/clock.ts';
import {
  createQueueHandler,
  type Delivery,
  deliveriesOf,
  type RetryLater,
  type StepScope,
} from '#shared/runtime/step.ts';
import { isoTime } from '#shared/text/wording.ts';
import { throttleWait } from './report.ts';

/** One import that the messages of a batch are about. */
export interface ReportTask {
  readonly importId: string;
  /** Sent again where the import has to wait. */
  readonly message: ReportMessage;
  /** At least one of the messages was delivered before. */
  readonly isRedelivered: boolean;
  readonly deadline: Deadline;
}

interface ReportStep extends StepScope {
  readonly reportOn: (task: ReportTask) => Promise<unknown>;
  readonly retryLater: RetryLater;
}

/**
 * When an import fails, all messages about it fail; those about others do not. The messages of an import that there is
 * no time for fail too. They are handled first in their next batch, so a large import gets a whole invocation.
 */
export const createReportHandler = ({ reportOn, retryLater, log }: ReportStep) =>
  createQueueHandler<ReportMessage>({
    log,
    retryLater,
    decode: (body) => decodeMessage(reportMessage, body),
    handle: async (deliveries, { deadline }) => {
      const failed: Delivery<ReportMessage>[] = [];
      for (const [importId, about] of redeliveredFirst(Map.groupBy(deliveries, ({ message }) => message.importId))) {
        if (!deadline.hasTimeFor(timeNeeded.reportImport)) {
          log.warn('too little time for one more import', { importId });
          failed.push(...about);
          continue;
        }
        try {
          const [message = { importId }] = about.map((delivery) => delivery.message);
          await reportOn({ importId, message, isRedelivered: about.some(isRedelivered), deadline });
        } catch (error) {
          log.error('an import could not be reported on', { importId, error });
          failed.push(...about);
        }
      }
      return failed;
    },
  });

const isRedelivered = ({ record }: Delivery<unknown>): boolean => deliveriesOf(record) > 1;

const redeliveredFirst = <Message>(byImport: ReadonlyMap<string, Delivery<Message>[]>) =>
  [...byImport].sort(([, one], [, other]) => Number(other.some(isRedelivered)) - Number(one.some(isRedelivered)));

// The refresh throttle: how long report waits between two refreshes of a large import. A refresh reads all of its
// requests, so the more it has, the longer the wait: one import takes at most about a tenth of the time of one
// environment. One delayed message covers all changes during the wait. A person waits for the rows of a correction or a
// move, so a new part is shown at once.

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
  const { imports, clocks } = pipeline;
  const { importId, requestCount, throttled } = item;
  const wait = waitAfter(requestCount);
  if (wait === 0) return true;
  const now = clocks.wall();
  const parts = (await readRowParts(item, imports)).length;
  if (!isRedelivered && throttled?.parts === parts && Date.parse(throttled.until) > now) {
    if (!isRefreshPlanned(item.refreshAt, now)) await sendDelayed(message, throttled.until, pipeline);
    return false;
  }
  await imports.update(importId, { throttled: { until: isoTime(now + wait), parts } });
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
