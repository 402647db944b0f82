// A run of sync: what it works with, its lease and its end, and notifying report of what changed.
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { Submission } from '#shared/operations/operation.ts';
import type { PipelineSettings, ServicePipeline } from '#shared/pipeline/pipeline.ts';
import type { ReportMessage } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { type Deadline, keepRenewing, timeNeeded } from '#shared/runtime/clock.ts';
import type { ReportNotifications } from '#shared/store/imports.ts';
import type { Leases, SyncRuns } from '#shared/store/leases.ts';
import type { Resolutions } from '#shared/store/people.ts';
import type { UnfinishedSince } from '#shared/store/requests.ts';
import type { FailureClassifier } from './failure-classifier.ts';
import { runLease } from './intervals.ts';
import type { SearchStore } from './unknown-outcomes/kept-search.ts';

// What sync works with.

export interface SyncSettings extends PipelineSettings {
  /** Requests and ports that one run takes on, each. */
  readonly limit: number;
  /** SIMs whose services one run compares: a call each. */
  readonly simsPerRun: number;
}

/** The pipeline of one invocation of sync. */
export interface SyncPipeline extends ServicePipeline {
  readonly settings: SyncSettings;
  readonly notifications: ReportNotifications;
  readonly resolutions: Resolutions;
  readonly leases: Leases;
  readonly syncRuns: SyncRuns;
  readonly unfinishedSince: UnfinishedSince;
  /** Searches of the port list that take more than one run. */
  readonly searches: SearchStore;
  /** A catalogue that has looked up nothing yet. */
  readonly openCatalogue: () => Catalogue;
  /** Acts once an hour. Returns how many uploads were announced again. */
  readonly sweepInbox: (run: SyncRun) => Promise<number>;
  /** Returns how many imports without a message were announced again. */
  readonly rescueImports: (run: SyncRun) => Promise<number>;
  /** Acts once an hour. Returns how many ports were found that the service created late. */
  readonly watchLateCommits: (run: SyncRun) => Promise<number>;
  /** Acts once a day. Returns whether it did this time. */
  readonly writeReferenceData: (run: SyncRun) => Promise<boolean>;
  /** Names this run. */
  readonly runId: string;
  readonly deadline: Deadline;
  /** A person asks whether the service accepts the secret; `client` has not read it yet. @default false */
  readonly checkSecret?: boolean;
}

/** Inside of a run. */
export interface SyncRun extends SyncPipeline {
  readonly failures: FailureClassifier;
  /** Imports of which something changed, also in a task that failed then: report is notified of them. */
  readonly changed: Set<string>;
}

export const isDeadlineNear = ({ deadline }: { readonly deadline: Deadline }): boolean =>
  !deadline.hasTimeFor(timeNeeded.finishRun);

/** What the request's call makes; undefined for an operation that this version does not have. */
export const makesOf = (
  { operation }: RequestItem,
  { operationNamed }: SyncPipeline,
): Submission['makes'] | undefined => operationNamed(operation)?.submission.makes;

/** Something changed in these imports. */
export async function notifyReport(importIds: readonly string[], { queues, resources }: SyncPipeline): Promise<void> {
  const messages: ReportMessage[] = importIds.map((importId) => ({ importId }));
  if (messages.length > 0) await queues.send(resources.reportQueueUrl, messages);
}

/** undefined: another run is in progress (fault 47). Overlapping runs would cost calls, but no number would be lost. */
export async function takeRunLease(pipeline: SyncPipeline) {
  const { leases, clocks, runId, wait, log } = pipeline;
  let until = clocks.wall() + runLease.durationMs;
  const leaseUntil = (now: number, end: number) => ({ name: 'sync', holder: runId, now, until: end });
  const last = await leases.takeUp(leaseUntil(clocks.wall(), until));
  if (last === undefined) return undefined;

  const renew = async (): Promise<void> => {
    const now = clocks.wall();
    if (await leases.take(leaseUntil(now, now + runLease.durationMs))) until = now + runLease.durationMs;
  };
  const renewOrLog = () =>
    renew().catch((error: unknown) => log.warn('the lease of the run was not renewed', { error }));
  const renewal = keepRenewing(renewOrLog, runLease.renewalMs, wait);

  return {
    /** The run before this one did not end. */
    isAfterKilled: last.isUnreleased,
    isLost: () => clocks.wall() > until - runLease.marginMs,
    release: async () => {
      // A renewal that arrives after the release would take the lease again.
      await renewal.end();
      await leases.release('sync', runId);
    },
  };
}
