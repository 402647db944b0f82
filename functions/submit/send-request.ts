// One attempt: makes the call, records its answer, and requeues the rows that the service did not decline.

import { type PlannedRequest, submitMessageOf } from '#shared/domain/imports/plan.ts';
import { portName } from '#shared/domain/requests/identity.ts';
import type { RequestItem } from '#shared/domain/requests/ledger.ts';
import { type Answer, applyAnswer } from '#shared/domain/requests/request-state.ts';
import { moveRequest } from '#shared/ledger/move-request.ts';
import { todayOf } from '#shared/operations/kit/connection-date.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import { isPortingFailure } from '#shared/porting/errors.ts';
import { callService } from './call-service.ts';
import { checkDecline } from './check-decline.ts';
import type { SubmitDependencies } from './dependencies.ts';
import type { Finished } from './finish-message.ts';
import { requeueMessage } from './requeue-message.ts';
import type { Attempt } from './write-ahead-record.ts';

export interface SentRequest {
  readonly sent: PlannedRequest;
  readonly recorded: RequestItem;
  readonly answer: Answer;
}

/** Every answer of the service, also an error, becomes a result. */
export async function sendRequest(
  attempt: Attempt,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<SentRequest | Finished> {
  const { send, request } = attempt;
  const { client, queues, settings } = dependencies;
  const log = dependencies.log.with({ importId: request.importId, request: request.request, attempt: request.attempt });
  const name = portName(request.label, request.token);
  const result = await callService(
    submission.makes,
    () => submission.call(client, send, name),
    (decline) => checkDecline(decline, attempt, submission, dependencies),
  );
  if (isPortingFailure(result)) return requeueMessage(request, result, dependencies);
  // A call that was made after midnight can be declined for a date that was valid the day before: validate again.
  const isOutdated = result.kind === 'declined' && attempt.day !== todayOf(dependencies.validation);
  const answer = isOutdated ? { kind: 'not-sent' as const, error: result.error } : result;
  const recorded = await recordAnswer(request, answer, dependencies);
  if (recorded === undefined) return { finished: 'not-mine' };
  const portId = recorded.portId ?? recorded.changedPortId;
  log.info('called', { rows: send.rows.length, outcome: answer.kind, state: recorded.state, portId });
  // If this message is lost, sync sends another.
  if (recorded.state === 'planned') await queues.send(settings.submitQueueUrl, [submitMessageOf(recorded)]);
  return { sent: send, recorded, answer };
}

/** Applies the answer to the request as it is stored by now: an id is recorded in any case (fault 46). */
async function recordAnswer(
  request: RequestItem,
  answer: Answer,
  dependencies: SubmitDependencies,
): Promise<RequestItem | undefined> {
  const { requests, clocks, settings } = dependencies;
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  let seen: RequestItem | undefined = request;
  while (seen !== undefined) {
    const next = applyAnswer(seen, request.attempt, answer, times);
    if (next === undefined) return undefined;
    const recorded = await moveRequest(seen, next, dependencies);
    if (recorded !== undefined) return recorded;
    seen = await requests.get(request.importId, request.request);
  }
  return undefined;
}
