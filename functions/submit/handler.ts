// Decodes the submit queue's batches: each message has an outcome of its own, and their calls are made one by one.
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { GiveBack } from '#shared/aws/give-back.ts';
import type { Queues } from '#shared/aws/queues.ts';
import { type ReportMessage, type SubmitMessage, submitMessage } from '#shared/domain/plan.ts';
import { createInTurn, type InTurn } from '#shared/porting/in-turn.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import type { SubmitOutcome } from './leave.ts';

export interface SubmitHandlerParts {
  /**
   * A fresh use case for one batch: what it looks up is kept no longer than that. `alsoChanged` hears of imports, beside the
   * message's own, of which something changed; `inTurn` is what calls are made in.
   */
  readonly submitterFor: (
    remainingMs: () => number,
    alsoChanged: (importId: string) => void,
    inTurn: InTurn,
  ) => (message: SubmitMessage) => Promise<SubmitOutcome>;
  readonly queues: Queues;
  readonly reportQueueUrl: string;
  readonly giveBack: GiveBack;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'flush'>;
}

export type SubmitHandler = (
  event: SQSEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
) => Promise<SQSBatchResponse>;

/**
 * Calls are made one by one: the mapping's maximum concurrency is then the cap on calls at the same time. While one is made,
 * the numbers of the next request are claimed. A message that cannot be read is given back like one that failed, and ends in
 * the dead-letter queue without stopping the others.
 */
export function createSubmitHandler(parts: SubmitHandlerParts): SubmitHandler {
  return async (event, context) => {
    const changed = new Set<string>();
    const submitOne = parts.submitterFor(
      () => context.getRemainingTimeInMillis(),
      (importId) => changed.add(importId),
      createInTurn(),
    );
    const succeeded = await Promise.all(
      event.Records.map(async (record) => {
        const message = decode(record, parts.log);
        return message !== undefined && (await succeeds(message, submitOne, changed, parts.log));
      }),
    );
    const failed = event.Records.filter((_, place) => !succeeded[place]);
    await parts.giveBack(failed);
    await tellReport([...changed], parts);
    parts.metrics.flush();
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

function decode(record: SQSRecord, log: Log): SubmitMessage | undefined {
  try {
    return submitMessage.parse(JSON.parse(record.body));
  } catch (error) {
    log.error('a message is not a submit message', { messageId: record.messageId, error });
    return undefined;
  }
}

async function succeeds(
  message: SubmitMessage,
  submitOne: (message: SubmitMessage) => Promise<SubmitOutcome>,
  changed: Set<string>,
  log: Log,
): Promise<boolean> {
  try {
    if ((await submitOne(message)) !== 'not-mine') changed.add(message.importId);
    return true;
  } catch (error) {
    log.error('a request was not submitted', { importId: message.importId, request: message.request, error });
    return false;
  }
}

/** Once per import and batch. Were it lost, the next change of the import, or sync, would tell as well. */
async function tellReport(
  importIds: readonly string[],
  { queues, reportQueueUrl, log }: SubmitHandlerParts,
): Promise<void> {
  if (importIds.length === 0) return;
  const messages: ReportMessage[] = importIds.map((importId) => ({ importId }));
  try {
    await queues.send(reportQueueUrl, messages);
  } catch (error) {
    log.error('report was not told', { imports: importIds.length, error });
  }
}
