// One attempt: the call, what came of it in the ledger, and whether the rows that were not refused go once more.
import { portName } from '#shared/domain/identity.ts';
import type { RequestItem, WithdrawnRow } from '#shared/domain/ledger.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import { msisdnKey } from '#shared/domain/port-look.ts';
import { type Answer, answered, refusedRows, withNextRevision } from '#shared/domain/request-state.ts';
import { todayOf } from '#shared/operations/connection-date.ts';
import type { Submission } from '#shared/operations/operation.ts';
import { isPortingFailure } from '#shared/porting/errors.ts';
import { callOnce } from './call.ts';
import { countStep } from './count-step.ts';
import type { Intended } from './intent.ts';
import type { Left } from './leave.ts';
import type { SubmitParts } from './parts.ts';
import { postpone } from './postpone.ts';
import { rowsNamedBy } from './refused-rows.ts';

export interface Called {
  readonly send: PlannedRequest;
  readonly recorded: RequestItem;
  readonly answer: Answer;
}

/** Makes the one call of an intent and records what it was answered; nothing that the service says is thrown. */
export async function attempt(
  item: RequestItem,
  intended: Intended,
  submission: Submission,
  parts: SubmitParts,
): Promise<Called | Left> {
  const { send, intent } = intended;
  const log = parts.log.with({ importId: item.importId, request: item.request, attempt: intent.attempt });
  const name = portName(item.label, item.token);
  const lineOf = lineFinder(send, parts.settings.rules.callingCode);
  const outcome = await callOnce(
    submission.makes,
    () => submission.call(parts.client, send, name),
    lineOf,
    (refusal) => separableRows(rowsNamedBy(refusal, send, lineOf), intended, submission, parts),
  );
  if (isPortingFailure(outcome)) return postpone(intent, outcome, parts);
  const answer = judgedYesterday(intended, outcome, parts) ? { ...outcome, kind: 'not-sent' as const } : outcome;
  const recorded = await record(intent, answer, parts);
  if (recorded === undefined) return { left: 'not-mine' };
  log.info('called', {
    rows: send.rows.length,
    outcome: answer.kind,
    state: recorded.state,
    portId: recorded.portId ?? recorded.changedPortId,
  });
  if (recorded.state === 'planned') await sendAgain(recorded, parts);
  return { send, recorded, answer };
}

/** The line of a number, or of a SIM, as the service writes it. */
function lineFinder(sent: PlannedRequest, callingCode: string): (subject: string) => number | undefined {
  const lines = new Map(sent.rows.map(({ line, subject }) => [subject, line]));
  return (subject) => lines.get(subject) ?? lines.get(msisdnKey(subject, callingCode));
}

/** Once per request, and only where it tells some rows from the others. */
function separableRows(
  named: readonly WithdrawnRow[],
  { send, intent }: Intended,
  { makes }: Submission,
  { settings }: SubmitParts,
): readonly WithdrawnRow[] | undefined {
  const isFirst = refusedRows(intent).length === 0;
  const tellsApart = named.length > 0 && named.length < send.rows.length;
  return makes === 'port' && settings.retryWithoutRefused && isFirst && tellsApart ? named : undefined;
}

/** A call that midnight overtook is refused for a date that was good when it was judged: it is judged anew (decision 10). */
const judgedYesterday = (
  { day }: Intended,
  outcome: Answer,
  { judge }: SubmitParts,
): outcome is Extract<Answer, { readonly kind: 'refused' }> => outcome.kind === 'refused' && day !== todayOf(judge);

/** Writes the answer on whatever stands there by now; an id is stored in any case (fault 46). */
async function record(intent: RequestItem, answer: Answer, parts: SubmitParts): Promise<RequestItem | undefined> {
  const times = { now: parts.clocks.wall(), quietMs: parts.settings.quietMs };
  let seen: RequestItem | undefined = intent;
  while (seen !== undefined) {
    const next = answered(seen, intent.attempt, answer, times);
    if (next === undefined) return undefined;
    if (await parts.requests.replace(seen, next)) {
      countStep(seen, next, parts.metrics);
      return withNextRevision(seen, next);
    }
    seen = await parts.requests.get(intent.importId, intent.request);
  }
  return undefined;
}

/** Were this message lost, sync would send another. */
const sendAgain = ({ importId, request, plan }: RequestItem, { queues, settings }: SubmitParts): Promise<void> =>
  queues.send(settings.submitQueueUrl, [{ importId, request, plan }]);
