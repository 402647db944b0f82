// Decodes the report queue's batches: hundreds of messages about the same few imports, each import looked at once.
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { GiveBack } from '#shared/aws/give-back.ts';
import { reportMessage } from '#shared/domain/plan.ts';
import type { Log } from '#shared/runtime/logger.ts';

export interface ReportHandlerParts {
  /** `cameBack`: one of its messages was delivered before. */
  readonly reportOn: (importId: string, cameBack: boolean) => Promise<unknown>;
  readonly giveBack: GiveBack;
  readonly log: Log;
}

export type ReportHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** When an import fails, all messages about it come back; those about others do not. */
export function createReportHandler({ reportOn, giveBack, log }: ReportHandlerParts): ReportHandler {
  return async (event) => {
    const byImport = new Map<string, SQSRecord[]>();
    const failed: SQSRecord[] = [];
    for (const record of event.Records) {
      const importId = decode(record, log);
      if (importId === undefined) failed.push(record);
      else byImport.set(importId, [...(byImport.get(importId) ?? []), record]);
    }
    for (const [importId, records] of byImport) {
      try {
        await reportOn(importId, records.some(cameBack));
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

function decode(record: SQSRecord, log: Log): string | undefined {
  try {
    return reportMessage.parse(JSON.parse(record.body)).importId;
  } catch (error) {
    log.error('a message is not a report message', { messageId: record.messageId, error });
    return undefined;
  }
}
