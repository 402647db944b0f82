// One request, one message: claim its numbers, write down what is about to be done, make ONE call, record what came of it.
// Create Port can be neither repeated nor asked about by key, so every step leaves a state from which reconcile can go on.
// What differs between operations is what their `Submission` says; the order of steps is one for all.
import type { RequestItem } from '#shared/domain/ledger.ts';
import type { SubmitMessage } from '#shared/domain/plan.ts';
import { maySend } from '#shared/domain/request-state.ts';
import type { Submission } from '#shared/operations/operation.ts';
import { attempt, type Called } from './attempt.ts';
import { type Claimed, claim } from './claim.ts';
import { heldBack } from './held-back.ts';
import { writeIntent } from './intent.ts';
import type { Left, SubmitOutcome } from './leave.ts';
import type { SubmitParts } from './parts.ts';
import { postpone } from './postpone.ts';
import { readBack } from './read-back.ts';
import { recheck } from './recheck.ts';

/**
 * Brings one request as far as one message can. Safe for any number of deliveries, at once or ever after.
 * @throws when nothing was sent and the message should come back: storage fails, time is short
 */
export async function submit(message: SubmitMessage, parts: SubmitParts): Promise<SubmitOutcome> {
  const item = await parts.requests.get(message.importId, message.request);
  if (item === undefined)
    throw new Error(`request ${message.request} of import ${message.importId} is not in the ledger`);
  if (!maySend(item)) return 'not-mine';
  const operation = parts.operationNamed(item.operation);
  if (operation === undefined) throw new Error(`there is no operation ${item.operation}`);
  // Asked first: nothing is read, claimed or written for a call that cannot be made.
  const closed = await parts.inTurn(() => heldBack(parts));
  if (closed !== undefined) return (await postpone(item, closed, parts)).left;
  const { submission } = operation;
  const claimed = await claim(item, submission, parts);
  if ('left' in claimed) return claimed.left;
  const called = await parts.inTurn(() => callInTurn(item, claimed, submission, parts));
  if ('left' in called) return called.left;
  await readBack(called.recorded, called.answer, called.send, parts);
  return called.recorded.state;
}

/** From the last look at the rows to the record of the answer: before the attempt, nothing can be felt by the service. */
async function callInTurn(
  item: RequestItem,
  claimed: Claimed,
  submission: Submission,
  parts: SubmitParts,
): Promise<Called | Left> {
  const judged = await recheck(item, claimed, submission, parts);
  if ('left' in judged) return judged;
  const intended = await writeIntent(item, judged, parts);
  return 'left' in intended ? intended : attempt(item, intended, submission, parts);
}
