// Handles requests without a message: lost messages, crashed attempts, unknown outcomes. Searching the port list
// (search-port-list.ts) and resending lost messages take long, so other steps of the run do them.
import type { RequestItem } from '#shared/request/request.ts';
import { markActionRequired, requeueAsSafe, withDeclinedRows } from '#shared/request/request-state.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import { isoTime } from '#shared/text/wording.ts';
import { deferIfUnreadable, moveUnsettled } from '../failure-classifier.ts';
import { runLimits } from '../intervals.ts';
import { resendMessages } from '../lost-messages.ts';
import { isDeadlineNear, makesOf, type SyncRun } from '../run.ts';
import { readCreatedPort } from './adopt-port.ts';

export interface ReconcileResult {
  /** Changes of unknown outcome that are made again. */
  readonly resent: number;
  /** Requests for which action is required. */
  readonly actionRequired: number;
  /** Requests that may have created a port. */
  readonly unknown: readonly RequestItem[];
  /** Planned requests whose message was lost, or still waits in the queue. */
  readonly lost: readonly RequestItem[];
}

/**
 * A change is read before it is made, so it may be made again. One whose outcome stays unknown for so long needs
 * action.
 */
const mostChangeAttempts = 6;
const isExhausted = ({ attempt }: RequestItem): boolean => attempt >= mostChangeAttempts;

const unknownTicket =
  'the service may or may not have accepted this submission: check it there before you send it again';
const unknownChange =
  'the service never answered whether it made this change: check the port; importing the rows again does nothing twice';

/** Rejects with the client's failures: what is due stays due. */
export async function reconcile(run: SyncRun): Promise<ReconcileResult> {
  const { requests, clocks, settings, failures, deadline } = run;
  const now = isoTime(clocks.wall());
  const due = await requests.due(settings.account, now, settings.limit, failures.noteUnreadable);
  const lost = await requests.lost(settings.account, now, runLimits.lostMessages, failures.noteUnreadable);
  await measureAge(run);
  const open = due.filter(({ state }) => state === 'unknown' || state === 'in-flight');
  // This version does not have the operation, so its outcome cannot be searched for, as with a ticket.
  const made = Object.groupBy(open, (item) => makesOf(item, run) ?? 'ticket');
  const { port: unknown = [], ticket: tickets = [], change: changes = [] } = made;
  const repeatable = changes.filter((item) => !isExhausted(item));
  const resent = await resendMessages(repeatable, run, requeueAsSafe);
  const actionRequired =
    (await requireAction(tickets, unknownTicket, run)) +
    (await requireAction(changes.filter(isExhausted), unknownChange, run));
  await readCreatedPorts(due, { ...run, deadline: deadline.reserving(1 / 2) });
  return { resent, actionRequired, unknown, lost };
}

/** Of all that is unfinished, and not only of what is due in this run: the next run would show another age. */
async function measureAge({ unfinishedSince, settings, clocks, metrics }: SyncRun): Promise<void> {
  const now = clocks.wall();
  const since = await unfinishedSince(settings.limit);
  metrics.gauge('oldestUnfinished', since === undefined ? 0 : Math.round((now - Date.parse(since)) / 1000));
}

/** As an attempt without an answer is recorded by submit, which may have been killed. */
const withDoubtfulRows = (item: RequestItem, { operationNamed }: SyncRun): RequestItem =>
  operationNamed(item.operation)?.submission.conflictsWithItself === true ? withDeclinedRows(item) : item;

/** Answers for how many requests action is required. */
async function requireAction(items: readonly RequestItem[], message: string, run: SyncRun): Promise<number> {
  let marked = 0;
  for (const item of items) {
    if (isDeadlineNear(run)) break;
    const next = markActionRequired(withDoubtfulRows(item, run), message, run.clocks.wall());
    if ((await moveUnsettled(item, next, run)) === undefined) continue;
    run.changed.add(item.importId);
    marked += 1;
  }
  return marked;
}

/** Reads the ports of requests that were created, for half of the time: a large import has thousands of them. */
async function readCreatedPorts(due: readonly RequestItem[], run: SyncRun): Promise<void> {
  const created = due.filter(({ state }) => state === 'created');
  await inParallel(created, run.settings.callsAtOnce, async (item) => {
    if (isDeadlineNear(run)) return;
    const result = await run.deadline.measured(() => deferIfUnreadable(item, run, () => readCreatedPort(item, run)));
    if (result === true) run.changed.add(item.importId);
  });
}
