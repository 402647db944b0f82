import type { ReportMessage } from '#shared/messages.ts';
import type { SyncDependencies } from './dependencies.ts';

/** Something changed in these imports. */
export async function notifyReport(
  importIds: readonly string[],
  { queues, settings }: SyncDependencies,
): Promise<void> {
  const messages: ReportMessage[] = importIds.map((importId) => ({ importId }));
  if (messages.length > 0) await queues.send(settings.reportQueueUrl, messages);
}
