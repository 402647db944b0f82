import type { ReportMessage } from '#shared/request/messages.ts';
import type { SyncPipeline } from './dependencies.ts';

/** Something changed in these imports. */
export async function notifyReport(importIds: readonly string[], { queues, resources }: SyncPipeline): Promise<void> {
  const messages: ReportMessage[] = importIds.map((importId) => ({ importId }));
  if (messages.length > 0) await queues.send(resources.reportQueueUrl, messages);
}
