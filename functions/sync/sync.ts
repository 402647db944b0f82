// One run: a list of tasks. Each of them is independent: one that fails is named in the log and counted, and the next
// one runs.

import type { RequestItem } from '#shared/request/request.ts';
import { recordNewMessage } from '#shared/request/request-state.ts';
import { describeOutage, silentSince } from '#shared/request/shared-rate-limit.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { isPortingFailure } from '#shared/service/errors.ts';
import { createFailureClassifier } from './failure-classifier.ts';
import { renotifyReport, resendMessages, sendScheduled } from './lost-messages.ts';
import { compareServicesAsRequested } from './ports/compare-services.ts';
import { type PollResult, pollPorts } from './ports/poll-ports.ts';
import { removeBlockingRows } from './ports/remove-blocking-rows.ts';
import { releaseRescheduled } from './ports/replace-ports.ts';
import { resolveWaiting } from './resolve-request.ts';
import { notifyReport, type SyncPipeline, type SyncRun, takeRunLease } from './run.ts';
import { reconcile } from './unknown-outcomes/reconcile.ts';
import { searchPortList } from './unknown-outcomes/search-port-list.ts';

interface Counts {
  adopted: number;
  absent: number;
  actionRequired: number;
  polled: number;
  changed: number;
  calls: number;
  /** Ports that are due and wait for the next run. */
  left: number;
  /** Requests that were sent again, and those whose day has come. */
  resent: number;
  /** Rows that were removed from their port, because they blocked others. */
  removed: number;
  /** Requests that were released because the port that they replace is cancelled. */
  released: number;
  /** SIMs of complete ports whose services were compared with those requested. */
  compared: number;
}

const nothing: Readonly<Counts> = {
  adopted: 0,
  absent: 0,
  actionRequired: 0,
  polled: 0,
  changed: 0,
  calls: 0,
  left: 0,
  resent: 0,
  removed: 0,
  released: 0,
  compared: 0,
};

/** What a run did. */
export interface SyncResult extends Readonly<Counts> {
  /** Another run is in progress, so this one did nothing. */
  readonly skipped: boolean;
  /** Imports of which something changed. */
  readonly imports: number;
  /** The service accepted the stored secret; false also when the caller did not ask for the check. */
  readonly secretChecked: boolean;
  /** Why the service could not be called, in the first task that failed. */
  readonly failure?: string | undefined;
}

/** What the tasks of one run share, and find for each other. */
interface Run extends SyncRun {
  secretChecked: boolean;
  /** Requests that may have created a port. */
  unknown: readonly RequestItem[];
  /** Planned requests without a message. */
  lost: readonly RequestItem[];
}

interface Task {
  /** In the log, and in the metric of failures. */
  readonly name: string;
  /** The service may be down: that is no failure of the task, and what is due stays due. */
  readonly needsService: boolean;
  /** Returns what it did. */
  readonly run: (run: Run) => Promise<Partial<Counts> | undefined>;
}

/** In this order. What one of them leaves, or fails to do, is due in the next run. */
const tasks: readonly Task[] = [
  { name: 'check the secret', needsService: true, run: checkSecret },
  {
    name: 'probe the service',
    needsService: true,
    run: async (run) => {
      await probeService(run);
    },
  },
  {
    name: 'resolve requests',
    needsService: true,
    run: async (run) => {
      await resolveWaiting(run);
    },
  },
  { name: 'reconcile requests', needsService: true, run: reconcileRequests },
  { name: 'follow ports', needsService: true, run: followPorts },
  {
    name: 'remove blocking rows',
    needsService: true,
    run: async (run) => ({ removed: await removeBlockingRows(run) }),
  },
  {
    name: 'reschedule',
    needsService: true,
    run: async (run) => ({ released: await releaseRescheduled(run) }),
  },
  {
    name: 'search the port list',
    needsService: true,
    run: (run) => searchPortList(run.unknown, run),
  },
  {
    name: 'resend messages',
    needsService: false,
    run: async (run) => ({ resent: await resendMessages(run.lost, run, recordNewMessage) }),
  },
  {
    name: 'send scheduled requests',
    needsService: false,
    run: async (run) => ({ resent: await sendScheduled(run) }),
  },
  {
    name: 'compare services',
    needsService: true,
    run: async (run) => ({ compared: await compareServicesAsRequested(run) }),
  },
  {
    name: 'watch for late ports',
    needsService: true,
    run: async (run) => {
      await run.watchLateCommits(run);
    },
  },
  {
    name: 'notify report',
    needsService: false,
    run: async (run) => {
      await notifyReport([...run.changed], run);
    },
  },
  {
    name: 'renotify report',
    needsService: false,
    run: async (run) => {
      await renotifyReport(run);
    },
  },
  {
    name: 'rescue imports',
    needsService: false,
    run: async (run) => {
      await run.rescueImports(run);
    },
  },
  {
    name: 'sweep the inbox',
    needsService: false,
    run: async (run) => {
      await run.sweepInbox(run);
    },
  },
  {
    name: 'reference data',
    needsService: true,
    run: async (run) => {
      if (await run.writeReferenceData(run)) run.log.info('the reference data was written');
    },
  },
];

/** Runs never overlap (fault 47). A run that dies leaves everything due, and its lease expires. */
export async function sync(pipeline: SyncPipeline): Promise<SyncResult> {
  const lease = await takeRunLease(pipeline);
  if (lease === undefined) return { ...nothing, skipped: true, imports: 0, secretChecked: false };
  try {
    const deadline = createDeadline(() => (lease.isLost() ? 0 : pipeline.deadline.remainingMs()));
    const found = { changed: new Set<string>(), secretChecked: false, unknown: [], lost: [] };
    if (lease.isAfterKilled) await record(pipeline, () => pipeline.syncRuns.addUnfinished(pipeline.clocks.wall()));
    return await runTasks({ ...pipeline, deadline, ...createFailureClassifier(pipeline), ...found });
  } finally {
    await lease.release();
  }
}

/** For people, who otherwise see only that nothing changes. A run never fails for that. */
async function record({ log }: SyncPipeline, write: () => Promise<void>): Promise<void> {
  await write().catch((error: unknown) => log.warn('how runs of sync end was not recorded', { error }));
}

/** @throws after the last task, if any of them failed */
async function runTasks(run: Run): Promise<SyncResult> {
  const { failures, log, metrics, changed } = run;
  const done = { ...nothing };
  const failed: Error[] = [];
  const reasons: string[] = [];
  for (const task of tasks) {
    try {
      const counts = await task.run(run);
      for (const [name, count] of Object.entries(counts ?? {})) done[name as keyof Counts] += count;
    } catch (error) {
      if (task.needsService && isPortingFailure(error)) {
        failures.noteServiceFailure(error);
        log.error('the service could not be called; what is due stays due', { task: task.name, error });
        continue;
      }
      log.error('a task of sync failed', { task: task.name, error });
      metrics.count('failedTasks');
      // Messages of errors can quote what is stored, so people get the name.
      reasons.push(`${task.name}: ${(error as Error).name}`);
      failed.push(new Error(`${task.name}: ${(error as Error).message}`, { cause: error }));
    }
  }
  await record(run, () => run.syncRuns.end(run.clocks.wall(), reasons.length > 0 ? reasons.join('; ') : undefined));
  // The invocation fails, so that the alarms of failed runs fire.
  if (failed.length > 0) throw new AggregateError(failed, failed.map(({ message }) => message).join('; '));
  const { secretChecked } = run;
  return { ...done, secretChecked, failure: failures.serviceFailure(), skipped: false, imports: changed.size };
}

async function checkSecret(run: Run): Promise<undefined> {
  if (run.checkSecret === true) run.secretChecked = await isSecretAccepted(run);
}

async function reconcileRequests(run: Run): Promise<Partial<Counts>> {
  const { unknown, lost, ...counts } = await reconcile(run);
  run.unknown = unknown;
  run.lost = lost;
  return counts;
}

/** The search comes after the ports, so that a long list never keeps them waiting, but it gets a third of the time. */
function followPorts(run: Run): Promise<PollResult> {
  const { deadline, unknown } = run;
  const polling = unknown.length === 0 ? deadline : deadline.reserving(1 / 3);
  return pollPorts({ ...run, deadline: polling });
}

/** Whether the service answers a call with a new token. @throws PortingFailure */
export async function isSecretAccepted({ rateLimiter, client }: SyncPipeline): Promise<true> {
  await rateLimiter.probeNow();
  await client.networks();
  return true;
}

/** Asks the service where the last answers were none, or a limit: perhaps nobody else calls it for hours. */
export async function probeService({ rateLimiter, client, clocks, metrics, log }: SyncPipeline): Promise<void> {
  const before = await rateLimiter.get();
  if (before?.outage !== undefined) {
    await rateLimiter.probeNow();
    await client.throwIfDeferred().catch(ignorePortingFailure);
  } else if (before?.pausedSince !== undefined) {
    await client.networks().catch(ignorePortingFailure);
  }
  const now = await rateLimiter.get();
  const since = now && silentSince(now);
  metrics.gauge('serviceDown', since === undefined ? 0 : Math.round((clocks.wall() - Date.parse(since)) / 1000));
  if (now?.outage !== undefined)
    log.error('the service is down: calls are deferred, except for one probe at a time', {
      because: describeOutage(now),
    });
}

function ignorePortingFailure(error: unknown): void {
  if (!isPortingFailure(error)) throw error;
}
