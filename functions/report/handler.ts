// The report queue: hundreds of messages about the same few imports, so each import is reported on once per batch.
import { decodeMessage, type ReportMessage, reportMessage } from '#shared/request/messages.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/deadline.ts';
import {
  createQueueHandler,
  type Delivery,
  deliveriesOf,
  type RetryLater,
  type StepScope,
} from '#shared/runtime/step.ts';

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
