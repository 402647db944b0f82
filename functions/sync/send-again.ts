// Puts requests back in line for submit.
import type { RequestItem } from '#shared/domain/ledger.ts';
import type { SubmitMessage } from '#shared/domain/plan.ts';
import { isTimeShort, type SyncParts } from './parts.ts';

/** Messages sent at a time. */
const messagesAtATime = 100;

/** The item first, then the message: a crash in between costs one more wait, never two messages at every run. */
export async function sendAgain(
  items: readonly RequestItem[],
  parts: SyncParts,
  step: (item: RequestItem, now: number) => RequestItem,
): Promise<number> {
  let sent = 0;
  for (let start = 0; start < items.length && !isTimeShort(parts); start += messagesAtATime) {
    const messages: SubmitMessage[] = [];
    for (const item of items.slice(start, start + messagesAtATime)) {
      const { importId, request, plan } = item;
      const written = await parts.requests.replace(item, step(item, parts.clocks.wall()));
      if (written) messages.push({ importId, request, plan });
    }
    await parts.queues.send(parts.settings.submitQueueUrl, messages);
    sent += messages.length;
  }
  return sent;
}
