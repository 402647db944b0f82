// One run: reconcile requests, poll the ports that are due, search the port list for requests of unknown outcome,
// notify report, and then do the upkeep that can wait.
import { nextNotification, unreadableNotification } from '#shared/domain/imports/report-notification.ts';
import { describeOutage } from '#shared/domain/requests/rate-limit.ts';
import { recordNewMessage } from '#shared/domain/requests/request-state.ts';
import { UnreadableItem } from '#shared/domain/requests/unreadable-item.ts';
import { isPortingFailure } from '#shared/porting/errors.ts';
import { inParallel } from '#shared/porting/in-parallel.ts';
import { createDeadline } from '#shared/runtime/deadline.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { RunDependencies, SyncDependencies } from './dependencies.ts';
import { createFailureClassifier } from './failure-classifier.ts';
import { compareServicesAsRequested } from './follow/compare-services.ts';
import { type PollResult, pollPorts } from './follow/poll-ports.ts';
import { releaseRescheduled } from './follow/release-rescheduled.ts';
import { removeBlockingRows } from './follow/remove-blocking-rows.ts';
import { concurrency, runLease, runLimits } from './intervals.ts';
import { notifyReport } from './notify-report.ts';
import { resolveWaiting } from './resolve/resolve-request.ts';
import { type ReconcileResult, reconcile } from './unknown-outcomes/reconcile.ts';
import { type SearchResult, searchPortList } from './unknown-outcomes/search-port-list.ts';
import { resendMessages, sendScheduled } from './upkeep/resend-messages.ts';

/** What a run did. */
export interface SyncResult extends Omit<ReconcileResult, 'unknown' | 'lost'>, SearchResult, PollResult {
  /** Another run is in progress, so this one did nothing. */
  readonly skipped: boolean;
  readonly imports: number;
  /** Rows that were removed from their port, because they blocked others. */
  readonly removed: number;
  /** Requests that were released because the port that they replace is cancelled. */
  readonly released: number;
  /** SIMs of complete ports whose services were compared with those requested. */
  readonly compared: number;
  /** The service accepted the stored secret; false also when the caller did not ask for the check. */
  readonly secretChecked: boolean;
  /** Why the service could not be called, in the first step that failed. */
  readonly failure?: string | undefined;
}

const noResult = {
  resent: 0,
  adopted: 0,
  absent: 0,
  actionRequired: 0,
  polled: 0,
  changed: 0,
  calls: 0,
  left: 0,
  removed: 0,
  released: 0,
  compared: 0,
  secretChecked: false,
};

/** Runs never overlap (fault 47). A run that dies leaves everything due, and its lease expires. */
export async function sync(dependencies: SyncDependencies): Promise<SyncResult> {
  const lease = await takeRunLease(dependencies);
  if (lease === undefined) return { ...noResult, skipped: true, imports: 0 };
  try {
    const deadline = createDeadline(() => (lease.isLost() ? 0 : dependencies.deadline.remainingMs()));
    return await run({ ...dependencies, deadline, ...createFailureClassifier(dependencies) });
  } finally {
    await lease.release();
  }
}

async function run(dependencies: RunDependencies): Promise<SyncResult> {
  const { failures, deadline, checkSecret = false, sweepInbox, rescueImports, log } = dependencies;
  const imports = new Set<string>();
  const unlessDown = <Result>(otherwise: Result, step: () => Promise<Result>) =>
    unlessServiceFails(dependencies, otherwise, step);
  try {
    const secretChecked = checkSecret && (await unlessDown(false, () => isSecretAccepted(dependencies)));
    await probeService(dependencies);
    await unlessItFails(log, 'requests could not be resolved', () => resolveWaiting(dependencies));
    const nothing = { ...noResult, unknown: [], lost: [] };
    const { unknown, lost, resent, actionRequired } = await unlessDown<ReconcileResult>(nothing, () =>
      reconcile(dependencies, imports),
    );
    // The search comes after the ports, so that a long list never keeps them waiting, but it gets a third of the time.
    const polling = unknown.length === 0 ? deadline : deadline.reserving(1 / 3);
    const polled = await unlessDown<PollResult>(noResult, () =>
      pollPorts({ ...dependencies, deadline: polling }, imports),
    );
    const removed = await unlessDown(0, () => removeBlockingRows(dependencies, imports));
    const released = await unlessDown(0, () => releaseRescheduled(dependencies, imports));
    const found = await unlessDown<SearchResult>(noResult, () => searchPortList(unknown, dependencies, imports));
    const resentLost = await resendMessages(lost, dependencies, recordNewMessage);
    const sentOnDay = await sendScheduled(dependencies, imports);
    const compared = await unlessDown(0, () => compareServicesAsRequested(dependencies, imports));
    await unlessDown(0, () => dependencies.watchLateCommits(dependencies, imports));
    // The run does not need any of these: the next run, or the next hour's, repeats what failed.
    await unlessItFails(log, 'report could not be notified again', () => renotifyReport(dependencies));
    await unlessItFails(log, 'stuck imports could not be announced', () => rescueImports(failures.noteUnreadable));
    await unlessItFails(log, 'the inbox could not be swept', () => sweepInbox(failures.noteUnreadable));
    await unlessItFails(log, 'the reference data could not be written', () => renewReferenceData(dependencies));
    return {
      adopted: found.adopted,
      absent: found.absent,
      actionRequired: actionRequired + found.actionRequired,
      polled: polled.polled,
      changed: polled.changed,
      calls: polled.calls,
      left: polled.left,
      resent: resent + resentLost + sentOnDay,
      removed,
      released,
      compared,
      secretChecked,
      failure: failures.serviceFailure(),
      skipped: false,
      imports: imports.size,
    };
  } finally {
    await notifyReport([...imports], dependencies);
  }
}

/** When the service cannot be called, the step is over for this run: what is due stays due. */
async function unlessServiceFails<Result>(
  { failures, log }: RunDependencies,
  otherwise: Result,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (!isPortingFailure(error)) throw error;
    failures.noteServiceFailure(error);
    log.error('the service could not be called; what is due stays due', { error });
    return otherwise;
  }
}

async function unlessItFails(log: Log, failure: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    log.error(failure, { error });
  }
}

async function renewReferenceData({ writeReferenceData, log }: RunDependencies): Promise<void> {
  if (await writeReferenceData()) log.info('the reference data was written');
}

/** Whether the service answers a call with a new token. @throws PortingFailure */
export async function isSecretAccepted({ rateLimiter, client }: SyncDependencies): Promise<true> {
  await rateLimiter.probeNow();
  await client.networks();
  return true;
}

export async function probeService({ rateLimiter, client, clocks, metrics, log }: SyncDependencies): Promise<void> {
  if ((await rateLimiter.get())?.outage !== undefined) {
    await rateLimiter.probeNow();
    await client.throwIfDeferred().catch(ignorePortingFailure);
  }
  const now = await rateLimiter.get();
  const since = now?.outage && now.failing?.since;
  metrics.gauge('serviceDown', since === undefined ? 0 : Math.round((clocks.wall() - Date.parse(since)) / 1000));
  if (now?.outage !== undefined)
    log.error('the service is down: calls are deferred, except for one probe at a time', {
      because: describeOutage(now),
    });
}

function ignorePortingFailure(error: unknown): void {
  if (!isPortingFailure(error)) throw error;
}

/**
 * Answers of how many imports report was notified. After a crash on the way they stay due, and are notified again.
 */
export async function renotifyReport(dependencies: RunDependencies): Promise<number> {
  const { notifications, clocks } = dependencies;
  const now = clocks.wall();
  const due = await notifications.due(now, runLimits.notifications);
  const next = new Map<string, number | undefined>();
  const unreadable: string[] = [];
  await inParallel(due, concurrency, async (importId) => {
    const item = await readImport(importId, dependencies);
    if (item instanceof UnreadableItem) unreadable.push(importId);
    else next.set(importId, item && nextNotification(item, now));
  });
  // Report could not read the others either.
  const readable = due.filter((importId) => next.has(importId));
  await notifyReport(readable, dependencies);
  for (const importId of unreadable) next.set(importId, unreadableNotification(now));
  await inParallel(next, concurrency, ([importId, at]) =>
    at === undefined ? notifications.remove(importId) : notifications.set(importId, at),
  );
  return readable.length;
}

async function readImport(importId: string, { imports, failures }: RunDependencies) {
  try {
    return await imports.get(importId);
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    failures.noteUnreadable(error);
    return error;
  }
}

const name = 'sync';

/** undefined: another run is in progress (fault 47). Overlapping runs would cost calls, but no number would be lost. */
export async function takeRunLease(dependencies: SyncDependencies) {
  const { leases, clocks, runId, wait, log } = dependencies;
  let until = clocks.wall() + runLease.durationMs;
  let isOver = false;
  let renewing: Promise<void> = Promise.resolve();
  const take = (now: number, end: number) => leases.take({ name, holder: runId, now, until: end });
  if (!(await take(clocks.wall(), until))) return undefined;

  const renew = async (): Promise<void> => {
    const now = clocks.wall();
    if (await take(now, now + runLease.durationMs)) until = now + runLease.durationMs;
  };
  const keep = async (): Promise<void> => {
    for (await wait(runLease.renewalMs); !isOver; await wait(runLease.renewalMs)) {
      renewing = renew().catch((error: unknown) => log.warn('the lease of the run was not renewed', { error }));
      await renewing;
    }
  };
  void keep();

  return {
    isLost: () => clocks.wall() > until - runLease.marginMs,
    release: async () => {
      isOver = true;
      // A renewal that arrives after the release would take the lease again.
      await renewing;
      await leases.release(name, runId);
    },
  };
}
