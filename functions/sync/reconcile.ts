// Settles requests that nobody else looks after any more: messages that got lost, attempts that died, outcomes that are
// not known. What takes long, or can wait, is only sorted out here: the search for ports (seek.ts), and lost messages.
import type { RequestItem } from '#shared/domain/ledger.ts';
import { leftToPeople, provenHarmless } from '#shared/domain/request-state.ts';
import { settle } from './adopt.ts';
import { isTimeShort, type SyncParts } from './parts.ts';
import { unlessUnreadable } from './put-off.ts';
import { sendAgain } from './send-again.ts';
import type { RunParts } from './trouble.ts';

export interface Reconciled {
  /** Changes in doubt that are made again. */
  readonly resent: number;
  /** Requests that only a person can judge. */
  readonly people: number;
  /** Requests that may have made a port. */
  readonly inDoubt: readonly RequestItem[];
  /** Planned requests whose message got lost, or still waits for its turn. */
  readonly lost: readonly RequestItem[];
}

/** Lost messages that one run sends again: of a large import most only wait for their turn, and each costs a write. */
const mostLost = 500;

/** Adds the imports of which something changed to `imports`. Rejects with the client's failures: what is due stays due. */
export async function reconcile(parts: RunParts, imports: Set<string>): Promise<Reconciled> {
  const now = new Date(parts.clocks.wall()).toISOString();
  const due = await parts.requests.due(now, parts.settings.limit, parts.trouble.noteUnreadable);
  const lost = await parts.requests.lost(now, mostLost, parts.trouble.noteUnreadable);
  measureAge([...due, ...lost], parts);
  const doubtful = due.filter(({ state }) => state === 'unknown' || state === 'in-flight');
  const { port: inDoubt = [], ticket: tickets = [], change: changes = [] } = byWhatTheyMake(doubtful, parts);
  const repeats = changes.filter((item) => !isExhausted(item));
  const exhausted = changes.filter(isExhausted);
  const resent = await sendAgain(repeats, parts, provenHarmless);
  const people =
    (await leaveToPeople(tickets, doubtfulTicket, parts, imports)) +
    (await leaveToPeople(exhausted, doubtfulChange, parts, imports));
  const made = due.filter(({ state }) => state === 'created');
  const missing = await readNewPorts(made, parts, imports);
  return { resent, people: people + missing, inDoubt, lost };
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
