// One run: settle what takes a call or none, follow the ports that are due, look for the ports of requests in doubt, tell
// report what changed; then what can wait.
import { resent } from '#shared/domain/request-state.ts';
import { isPortingFailure } from '#shared/porting/errors.ts';
import { askAfterService, isSecretTaken } from './ask-after-service.ts';
import { compareAsked } from './drift.ts';
import { evict } from './evict.ts';
import { type Followed, follow } from './follow.ts';
import { type SyncParts, tellReport } from './parts.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import { remind } from './remind.ts';
import { releaseHeld } from './reschedule.ts';
import { takeRunLease } from './run-lease.ts';
import { type Sought, seek } from './seek.ts';
import { sendAgain } from './send-again.ts';
import { beginRun, type RunParts } from './trouble.ts';

/** What a run did; `skipped` means that another one is at work. */
export interface SyncResult extends Omit<Reconciled, 'inDoubt' | 'lost'>, Sought, Followed {
  readonly skipped: boolean;
  readonly imports: number;
  /** Lines that were taken out of their port, because they held others. */
  readonly evicted: number;
  /** Requests that were let go because the port in whose place they come is cancelled. */
  readonly released: number;
  /** SIMs of completed ports whose services were compared with those asked for. */
  readonly compared: number;
  /** The service answered with a new token; false also where nobody asked for it. */
  readonly secretChecked: boolean;
  /** Why the service could not be asked, in the step that failed first. */
  readonly failure?: string | undefined;
}

const nothing = {
  resent: 0,
  adopted: 0,
  absent: 0,
  people: 0,
  looked: 0,
  changed: 0,
  calls: 0,
  left: 0,
  evicted: 0,
  released: 0,
  compared: 0,
  secretChecked: false,
};

/** Runs never overlap (fault 47); a run that dies leaves everything due, and its lease lapses. */
export async function sync(parts: SyncParts): Promise<SyncResult> {
  const lease = await takeRunLease(parts);
  if (lease === undefined) return { ...nothing, skipped: true, imports: 0 };
  try {
    return await run(beginRun({ ...parts, remainingMs: () => (lease.isLost() ? 0 : parts.remainingMs()) }));
  } finally {
    await lease.release();
  }
}

async function run(parts: RunParts): Promise<SyncResult> {
  const imports = new Set<string>();
  try {
    const secretChecked = await unlessServiceFails(parts, false, () => isSecretTaken(parts));
    await askAfterService(parts);
    const nobody = { ...nothing, inDoubt: [], lost: [] };
    const { inDoubt, lost, ...reconciled } = await unlessServiceFails(parts, nobody, () => reconcile(parts, imports));
    const followed = await unlessServiceFails(parts, nothing, () => follow(leavingTimeFor(inDoubt, parts), imports));
    const evicted = await unlessServiceFails(parts, 0, () => evict(parts, imports));
    const released = await unlessServiceFails(parts, 0, () => releaseHeld(parts, imports));
    const sought = await unlessServiceFails(parts, nothing, () => seek(inDoubt, parts, imports));
    const resentLost = await sendAgain(lost, parts, resent);
    const compared = await unlessServiceFails(parts, 0, () => compareAsked(parts, imports));
    // Ports cannot do without the run, but it can do without any of these: the next one, or the next hour's, makes up for it.
    await unlessItFails(parts, 'report was not reminded', () => remind(parts));
    await unlessItFails(parts, 'the inbox was not swept', () => parts.sweepInbox(parts.trouble.noteUnreadable));
    await unlessItFails(parts, 'the lookup pack was not written', () => renewLookupPack(parts));
    return {
      ...nothing,
      ...pickSought(sought),
      resent: reconciled.resent + resentLost,
      people: reconciled.people + sought.people,
      ...pickFollowed(followed),
      evicted,
      released,
      compared,
      secretChecked,
      failure: parts.trouble.serviceFailure(),
      skipped: false,
      imports: imports.size,
    };
  } finally {
    await tellReport([...imports], parts);
  }
}

const pickSought = ({ adopted, absent }: Sought) => ({ adopted, absent });
const pickFollowed = ({ looked, changed, calls, left }: Followed) => ({ looked, changed, calls, left });

/** Requests in doubt come behind the ports, so that a long list never keeps those waiting; a third of the time is theirs. */
function leavingTimeFor(inDoubt: readonly unknown[], parts: RunParts): RunParts {
  if (inDoubt.length === 0) return parts;
  const keptMs = parts.remainingMs() / 3;
  return { ...parts, remainingMs: () => parts.remainingMs() - keptMs };
}

/** When the service cannot be asked there is nothing more to do in this run: what is due stays due. */
async function unlessServiceFails<Result>(
  parts: RunParts,
  otherwise: Result,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (!isPortingFailure(error)) throw error;
    parts.trouble.noteServiceFailure(error);
    parts.log.error('the service could not be asked; what is due stays due', { error });
    return otherwise;
  }
}

async function unlessItFails({ log }: SyncParts, failure: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    log.error(failure, { error });
  }
}

async function renewLookupPack({ writeLookupPack, log }: SyncParts): Promise<void> {
  if (await writeLookupPack()) log.info('the lookup pack was written');
}
