// One message, one request: claim its numbers, write down what is about to be done, make ONE call, record its answer.
// Create Port can neither be repeated nor found by a key, so every step leaves a state from which sync can continue.

import { maySend } from '#shared/domain/requests/request-state.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { SubmitMessage } from '#shared/messages.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import { type ClaimedRequest, claimRows, revalidateRows } from './choose-rows.ts';
import type { SubmitDependencies } from './dependencies.ts';
import { type Finished, failureOf, requeueMessage, type SubmitOutcome } from './end-message.ts';
import { readBack } from './read-back.ts';
import { type SentRequest, sendRequest, writeAheadRecord } from './send-request.ts';
import { leaveIfStopped } from './stopped-import.ts';

/**
 * Brings one request as far as one message can. Safe for any number of deliveries, at the same time or later.
 * @throws when nothing was sent and the message must be delivered again: storage fails, or too little time is left
 */
export async function submit(message: SubmitMessage, dependencies: SubmitDependencies): Promise<SubmitOutcome> {
  const { queues, settings } = dependencies;
  const { finished, resendAfterMs } = await handle(message, dependencies);
  // A new message, so that the receive count of the present one does not grow (fault 40). If lost, sync sends one.
  if (resendAfterMs !== undefined) {
    await queues.send(settings.submitQueueUrl, [message], { delaySeconds: resendAfterMs / 1000 });
  }
  return finished;
}

async function handle(message: SubmitMessage, dependencies: SubmitDependencies): Promise<Finished> {
  const { requests, client, operationNamed, readStop } = dependencies;
  // Also read for each call: both are known to be needed, so neither waits for the other.
  const [item] = await Promise.all([requests.get(message.importId, message.request), readStop(message.importId)]);
  if (item === undefined)
    throw new Error(`request ${message.request} of import ${message.importId} is not in the ledger`);
  if (!maySend(item)) return { finished: 'not-mine' };
  const submission = operationNamed(item.operation)?.submission;
  if (submission === undefined) throw new Error(`there is no operation ${item.operation}`);
  const stopped = await leaveIfStopped(item, submission, dependencies);
  if (stopped !== undefined) return stopped;
  // Asked first, so that nothing is read, claimed or written for a call that cannot be made.
  const closed = await failureOf(client.throwIfDeferred());
  if (closed !== undefined) return requeueMessage(item, closed, dependencies);
  const claimed = await claimRows(item, submission, dependencies);
  if ('finished' in claimed) return claimed;
  const sent = await validateAndSend(item, claimed, submission, dependencies);
  if ('finished' in sent) return sent;
  const end = { finished: sent.recorded.state };
  // Sync reads a new port, which stays due until then. A port that was changed is read at once: others wait for it.
  if (sent.answer.kind === 'created' && !dependencies.readsBack()) return end;
  await readBack(sent, dependencies);
  return end;
}

async function validateAndSend(
  item: RequestItem,
  claimed: ClaimedRequest,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<SentRequest | Finished> {
  const validated = await revalidateRows(item, claimed, submission, dependencies);
  if ('finished' in validated) return validated;
  const attempt = await writeAheadRecord(item, validated, submission, dependencies);
  return 'finished' in attempt ? attempt : sendRequest(attempt, submission, dependencies);
}
