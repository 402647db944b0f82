// Settles requests that nobody else looks after any more: messages that got lost, attempts that died, outcomes that are
// not known. Nothing is ever sent again before two scans of the service's list have proven that it is not there.
import type { RequestItem } from '#shared/domain/ledger.ts';
import type { SubmitMessage } from '#shared/domain/plan.ts';
import { leftToPeople, lookedAfter, provenHarmless, resent } from '#shared/domain/request-state.ts';
import { adopt, settle } from './adopt.ts';
import { findPorts } from './find-ports.ts';
import { isTimeShort, type SyncParts } from './parts.ts';
import { unlessUnreadable } from './put-off.ts';
import type { RunParts } from './trouble.ts';

export interface Reconciled {
  /** Planned requests whose message was sent again. */
  readonly resent: number;
  /** Requests whose port was found and taken as theirs. */
  readonly adopted: number;
  /** Requests that were proven not to have made anything, and go back in line. */
  readonly absent: number;
  /** Requests that only a person can judge. */
  readonly people: number;
}

/** Adds the imports of which something changed to `imports`. Rejects with the client's failures: what is due stays due. */
export async function reconcile(parts: RunParts, imports: Set<string>): Promise<Reconciled> {
  const now = new Date(parts.clocks.wall()).toISOString();
  const due = await parts.requests.due(now, parts.settings.limit, parts.trouble.noteUnreadable);
  measureAge(due, parts);
  const lost = due.filter(({ state }) => state === 'planned');
  const doubtful = due.filter(({ state }) => state === 'unknown' || state === 'in-flight');
  const { port: ports = [], ticket: tickets = [], change: changes = [] } = byWhatTheyMake(doubtful, parts);
  const repeats = changes.filter((item) => !isExhausted(item));
  const exhausted = changes.filter(isExhausted);
  const resentCount =
    (await sendAgain(lost, parts, (item, now) => resent(item, now))) +
    (await sendAgain(repeats, parts, provenHarmless));
  const people =
    (await leaveToPeople(tickets, doubtfulTicket, parts, imports)) +
    (await leaveToPeople(exhausted, doubtfulChange, parts, imports));
  const made = due.filter(({ state }) => state === 'created');
  const missing = await readNewPorts(made, parts, imports);
  const found = await settleDoubtful(ports, parts, imports);
  return { ...found, resent: resentCount, people: people + missing + found.people };
}

/** A change reads before it asks, so it may be made again; one that stays in doubt for so long is for a person to look at. */
const mostChangeAttempts = 6;
const isExhausted = ({ attempt }: RequestItem): boolean => attempt >= mostChangeAttempts;

/** An operation that is not known any more made something that nobody can look for: like a ticket. */
const byWhatTheyMake = (items: readonly RequestItem[], { operationNamed }: SyncParts) =>
  Object.groupBy(items, ({ operation }) => operationNamed(operation)?.submission.makes ?? 'ticket');

function measureAge(due: readonly RequestItem[], { clocks, metrics }: SyncParts): void {
  const oldest = Math.min(clocks.wall(), ...due.map(({ changedAt }) => Date.parse(changedAt)));
  metrics.gauge('oldestUnfinished', Math.round((clocks.wall() - oldest) / 1000));
}

/** Messages sent at a time. */
const messagesAtATime = 100;

/** The item first, then the message: a crash in between costs one more wait, never two messages at every run. */
async function sendAgain(
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

/** A ticket has no list to be found in: it is asked for at most once, and whether it was given is for a person to find out. */
const doubtfulTicket =
  'the service may or may not have accepted this submission: check it there before sending it again';
const doubtfulChange =
  'the service never said whether it made this change: look at the port; dropping the rows again does nothing twice';

async function leaveToPeople(
  items: readonly RequestItem[],
  message: string,
  parts: SyncParts,
  imports: Set<string>,
): Promise<number> {
  let left = 0;
  for (const item of items) {
    if (!(await parts.requests.replace(item, leftToPeople(item, message, parts.clocks.wall())))) continue;
    parts.metrics.count('requestsUnknown');
    imports.add(item.importId);
    left += 1;
  }
  return left;
}

/** Requests whose port id is recorded and whose port is to be read; answers how many only a person can judge. */
async function readNewPorts(items: readonly RequestItem[], parts: RunParts, imports: Set<string>): Promise<number> {
  let left = 0;
  for (const item of items) {
    if (isTimeShort(parts)) break;
    const step = await unlessUnreadable(item, parts, () => settle(item, parts));
    if (step === 'people') left += 1;
    if (step === true || step === 'people') imports.add(item.importId);
  }
  return left;
}

async function settleDoubtful(items: readonly RequestItem[], parts: RunParts, imports: Set<string>) {
  const outcome = { adopted: 0, absent: 0, people: 0 };
  if (items.length === 0 || isTimeShort(parts)) return outcome;
  const found = await findPorts(new Set(items.map(({ token }) => token)), parts);
  const absent: RequestItem[] = [];
  for (const item of items) {
    const portIds = found.portsOf(item.token);
    if (portIds.length === 0 && found.complete) absent.push(item);
    else if (portIds.length === 0) await parts.requests.replace(item, later(item, parts));
    else {
      const adoption = await unlessUnreadable(item, parts, () => adopt(item, portIds, parts));
      if (adoption !== undefined && adoption !== 'later') outcome[adoption] += 1;
    }
    imports.add(item.importId);
  }
  outcome.absent = await sendAgain(absent, parts, provenHarmless);
  parts.log.info('requests of unknown outcome were looked for', { requests: items.length, ...outcome });
  return outcome;
}

const later = (item: RequestItem, { clocks, settings }: SyncParts): RequestItem =>
  lookedAfter(item, clocks.wall() + settings.quietMs);
