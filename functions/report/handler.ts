// Decodes the report queue's batches: hundreds of messages about the same few imports, each import looked at once.
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { GiveBack } from '#shared/aws/give-back.ts';
import { reportMessage } from '#shared/domain/plan.ts';
import type { Log } from '#shared/runtime/logger.ts';
import { leastMs } from './out-of-time.ts';

export interface ReportHandlerParts {
  /** `cameBack`: one of its messages was delivered before. */
  readonly reportOn: (importId: string, cameBack: boolean, remainingMs: () => number) => Promise<unknown>;
  readonly giveBack: GiveBack;
  readonly log: Log;
}

export type ReportHandler = (
  event: SQSEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
) => Promise<SQSBatchResponse>;

/**
 * When an import fails, all messages about it come back; those about others do not. What there is no time for comes back, too,
 * and is then taken first: an import that needs a whole invocation has one.
 */
export function createReportHandler({ reportOn, giveBack, log }: ReportHandlerParts): ReportHandler {
  return async (event, context) => {
    const remainingMs = () => context.getRemainingTimeInMillis();
    const byImport = new Map<string, SQSRecord[]>();
    const failed: SQSRecord[] = [];
    for (const record of event.Records) {
      const importId = decode(record, log);
      if (importId === undefined) failed.push(record);
      else byImport.set(importId, [...(byImport.get(importId) ?? []), record]);
    }
    for (const [importId, records] of cameBackFirst(byImport)) {
      if (remainingMs() < leastMs) {
        log.warn('an import waits: time is short', { importId });
        failed.push(...records);
        continue;
      }
      try {
        await reportOn(importId, records.some(cameBack), remainingMs);
      } catch (error) {
        log.error('an import was not reported on', { importId, error });
        failed.push(...records);
      }
    }
    await giveBack(failed);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

const cameBack = ({ attributes }: SQSRecord): boolean => Number(attributes.ApproximateReceiveCount) > 1;

const cameBackFirst = (byImport: ReadonlyMap<string, SQSRecord[]>): [string, SQSRecord[]][] =>
  [...byImport].sort(([, one], [, other]) => Number(other.some(cameBack)) - Number(one.some(cameBack)));

function decode(record: SQSRecord, log: Log): string | undefined {
  try {
    return reportMessage.parse(JSON.parse(record.body)).importId;
  } catch (error) {
    log.error('a message is not a report message', { messageId: record.messageId, error });
    return undefined;
  }
}
