// One request, one message: claim its numbers, write down what is about to be done, make ONE call, record what came of it.
// Create Port can be neither repeated nor asked about by key, so every step leaves a state from which reconcile can go on.
// What differs between operations is what their `Submission` says; the order of steps is one for all.
import type { CalendarDate } from '#shared/domain/calendar-date.ts';
import { portName } from '#shared/domain/identity.ts';
import type { RequestItem, RequestState, WithdrawnRow } from '#shared/domain/ledger.ts';
import { packLines } from '#shared/domain/lines.ts';
import type { PlannedRequest, SubmitMessage } from '#shared/domain/plan.ts';
import { msisdnKey } from '#shared/domain/port-look.ts';
import {
  type Answer,
  answered,
  intended,
  maySend,
  postponed,
  refusedRows,
  refusedUnsent,
  withdrawn as withdrawnWhole,
  withNextRevision,
} from '#shared/domain/request-state.ts';
import { todayOf } from '#shared/operations/connection-date.ts';
import type { Submission } from '#shared/operations/operation.ts';
import { isPortingFailure, type PortingFailure } from '#shared/porting/errors.ts';
import type { MetricName, Metrics } from '#shared/runtime/metrics.ts';
import { callOnce, errorOf, saysNothingWasDone, waitAfter } from './call.ts';
import { claimRows } from './claim.ts';
import { OutOfTime, recordingMs } from './out-of-time.ts';
import type { SubmitParts } from './parts.ts';
import { readBack } from './read-back.ts';
import { rowsNamedBy } from './refused-rows.ts';

/** The state in which the request was left, or why nothing was done about it. */
export type SubmitOutcome = RequestState | 'not-mine';

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
  if (closed !== undefined) return postpone(item, closed, parts);
  const { submission } = operation;
  const claimed = await claim(item, submission, parts);
  if ('left' in claimed) return claimed.left;
  const called = await parts.inTurn(() => callInTurn(item, claimed, submission, parts));
  if ('left' in called) return called.left;
  await readBack(called.recorded, called.answer, called.send, parts);
  return called.recorded.state;
}

/** Why no call may be made now; undefined where one may. */
async function heldBack({ client }: SubmitParts): Promise<PortingFailure | undefined> {
  try {
    await client.ready();
    return undefined;
  } catch (error) {
    if (isPortingFailure(error)) return error;
    throw error;
  }
}

/** Nothing more is done about the request by this message. */
interface Left {
  readonly left: SubmitOutcome;
}

interface Claimed {
  /** Holds the rows whose numbers are ours. */
  readonly request: PlannedRequest;
  /** The rows that are not, and those that were refused before. */
  readonly out: WithdrawnRow[];
}

interface Prepared {
  readonly send: PlannedRequest;
  readonly intent: RequestItem;
  /** The account's day on which the request was judged. */
  readonly day: CalendarDate;
}

const planExpired = { kind: 'plan-expired', message: 'the plan of this import has expired: drop the file again' };

/** Reads the plan and claims its numbers: no call is made, so it needs no turn. */
async function claim(item: RequestItem, submission: Submission, parts: SubmitParts): Promise<Claimed | Left> {
  const { clocks } = parts;
  const planned = await parts.plans.read(item);
  if (planned === undefined) return leave(item, refusedUnsent(item, planExpired, undefined, clocks.wall()), parts);
  const now = new Date(clocks.wall()).toISOString();
  const refused = refusedRows(item);
  const rest = { ...planned, rows: planned.rows.filter(({ line }) => !refused.some((row) => row.line === line)) };
  const claimed = submission.claims ? await claimRows(rest, now, parts) : { rows: rest.rows, withdrawn: [] };
  const out = [...refused, ...claimed.withdrawn];
  if (claimed.rows.length === 0) return leave(item, withdrawnWhole(item, out, clocks.wall()), parts);
  return { request: { ...planned, rows: [...claimed.rows] }, out };
}

/** Everything that is left to do before the call: no step of it can be felt by the service. */
async function prepare(
  item: RequestItem,
  { request, out }: Claimed,
  submission: Submission,
  parts: SubmitParts,
): Promise<Prepared | Left> {
  const { clocks, requests, settings } = parts;
  const day = todayOf(parts.judge);
  const judged = await recheck(request, submission, parts);
  if (isPortingFailure(judged)) return { left: await postpone(item, judged, parts) };
  if ('refuse' in judged) {
    const { code, message } = judged.refuse;
    const without = { ...item, withdrawn: out.length === 0 ? undefined : out };
    return leave(item, refusedUnsent(without, { kind: code, message }, linesOf(request), clocks.wall()), parts);
  }
  const { send, note } = judged;
  const withdrawn = [...out, ...(judged.withdrawn ?? [])];
  if (send.rows.length === 0) return leave(item, withdrawnWhole(item, withdrawn, clocks.wall()), parts);
  // In line before the intent, so that the lease is not spent on waiting.
  const closed = await heldBack(parts);
  if (closed !== undefined) return { left: await postpone(item, closed, parts) };
  if (parts.remainingMs() < settings.callTimeoutMs + recordingMs)
    throw new OutOfTime('too little time for one more call');
  const intent = intended(item, {
    lines: linesOf(send),
    withdrawn,
    note,
    now: clocks.wall(),
    leaseMs: settings.leaseMs,
    quietMs: settings.quietMs,
  });
  // Whoever loses this race has not called, and must not: the winner is about to (fault 28).
  if (!(await requests.replace(item, intent))) return { left: 'not-mine' };
  return { send, day, intent: withNextRevision(item, intent) };
}

const linesOf = ({ rows }: PlannedRequest): string => packLines(rows.map(({ line }) => line));

async function leave(seen: RequestItem, next: RequestItem, parts: SubmitParts): Promise<Left> {
  if (!(await parts.requests.replace(seen, next))) return { left: 'not-mine' };
  countStep(seen, next, parts.metrics);
  return { left: next.state };
}

async function recheck(request: PlannedRequest, submission: Submission, parts: SubmitParts) {
  try {
    return await submission.recheck(request, parts.judge);
  } catch (error) {
    // Look-ups only: an answer that nobody understands did nothing either.
    if (isPortingFailure(error) && (saysNothingWasDone(error) || error.kind === 'contract-broken')) return error;
    throw error;
  }
}

interface Called {
  readonly send: PlannedRequest;
  readonly recorded: RequestItem;
  readonly answer: Answer;
}

async function callInTurn(
  item: RequestItem,
  claimed: Claimed,
  submission: Submission,
  parts: SubmitParts,
): Promise<Called | Left> {
  const prepared = await prepare(item, claimed, submission, parts);
  return 'left' in prepared ? prepared : attempt(item, prepared, submission, parts);
}

async function attempt(
  item: RequestItem,
  prepared: Prepared,
  submission: Submission,
  parts: SubmitParts,
): Promise<Called | Left> {
  const { send, intent } = prepared;
  const log = parts.log.with({ importId: item.importId, request: item.request, attempt: intent.attempt });
  const name = portName(item.label, item.token);
  const lineOf = lineFinder(send, parts.settings.rules.callingCode);
  const outcome = await callOnce(
    submission.makes,
    () => submission.call(parts.client, send, name),
    lineOf,
    (refusal) => separableRows(rowsNamedBy(refusal, send, lineOf), prepared, submission, parts),
  );
  if (isPortingFailure(outcome)) return { left: await postpone(intent, outcome, parts) };
  const answer = judgedYesterday(prepared, outcome, parts) ? { ...outcome, kind: 'not-sent' as const } : outcome;
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

/** A call that midnight overtook is refused for a date that was good when it was judged: it is judged anew (decision 10). */
const judgedYesterday = (
  { day }: Prepared,
  outcome: Answer,
  { judge }: SubmitParts,
): outcome is Extract<Answer, { readonly kind: 'refused' }> => outcome.kind === 'refused' && day !== todayOf(judge);

/** Once per request, and only where it tells some rows from the others. */
function separableRows(
  named: readonly WithdrawnRow[],
  { send, intent }: Prepared,
  { makes }: Submission,
  { settings }: SubmitParts,
): readonly WithdrawnRow[] | undefined {
  const isFirst = refusedRows(intent).length === 0;
  const tellsApart = named.length > 0 && named.length < send.rows.length;
  return makes === 'port' && settings.retryWithoutRefused && isFirst && tellsApart ? named : undefined;
}

/** Were this message lost, sync would send another. */
const sendAgain = ({ importId, request, plan }: RequestItem, { queues, settings }: SubmitParts): Promise<void> =>
  queues.send(settings.submitQueueUrl, [{ importId, request, plan }]);

/** The line of a number, or of a SIM, as the service writes it. */
function lineFinder(sent: PlannedRequest, callingCode: string): (subject: string) => number | undefined {
  const lines = new Map(sent.rows.map(({ line, subject }) => [subject, line]));
  return (subject) => lines.get(subject) ?? lines.get(msisdnKey(subject, callingCode));
}

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

const countedAs: Partial<Record<RequestState, MetricName>> = {
  created: 'requestsCreated',
  accepted: 'requestsCreated',
  refused: 'requestsRefused',
  unknown: 'requestsUnknown',
};

/** A state counts when it is come to: a duplicate that is found later does not make the request anew. */
function countStep(seen: RequestItem, next: RequestItem, metrics: Metrics): void {
  const name = next.state === seen.state ? undefined : countedAs[next.state];
  if (name !== undefined) metrics.count(name);
  const duplicates = (next.duplicatePortIds?.length ?? 0) - (seen.duplicatePortIds?.length ?? 0);
  if (duplicates > 0) metrics.count('duplicates', duplicates);
}

/** Nothing was sent: back in line with a message of its own, so that the receive count of this one is not burnt (fault 40). */
async function postpone(seen: RequestItem, failure: PortingFailure, parts: SubmitParts): Promise<SubmitOutcome> {
  const { requests, queues, settings, clocks, log } = parts;
  const waitMs = waitAfter(failure, Math.max(1, seen.attempt), parts.random());
  if (!(await requests.replace(seen, postponed(seen, errorOf(failure), clocks.wall(), waitMs)))) return 'not-mine';
  const { importId, request, plan } = seen;
  await queues.send(settings.submitQueueUrl, [{ importId, request, plan }], { delaySeconds: waitMs / 1000 });
  log.warn('not sent, will be tried again', { importId, request, because: failure.kind, waitMs: Math.round(waitMs) });
  return 'planned';
}
