// What the tasks of a run share: its end, its failures, the imports that changed, notifying report.
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { Submission } from '#shared/operations/operation.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import type { PipelineSettings, ServicePipeline } from '#shared/pipeline/pipeline.ts';
import type { ReportMessage } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { deferUnreadable, recordMissingPort } from '#shared/request/waiting-request.ts';
import { type OnUnreadable, UnreadableItem } from '#shared/row/issue.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/clock.ts';
import type { PortingClient } from '#shared/service/client.ts';
import {
  CallDeferred,
  isDecline,
  isPortingFailure,
  NotFound,
  outcomeOfCall,
  type PortingFailure,
} from '#shared/service/errors.ts';
import { createSerialQueue } from '#shared/service/in-parallel.ts';
import type { ReportNotifications } from '#shared/store/imports.ts';
import type { Leases } from '#shared/store/leases.ts';
import type { Resolutions } from '#shared/store/people.ts';
import type { SearchStore } from './unknown-outcomes/search-store.ts';

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

// Decides whether a failure concerns one port, or the whole service. A port that always answers 500 must not end every
// run before the ports after it are read; and a service that is down must not be called once for every port.

interface FailureClassifier {
  /**
   * Whether the failure concerns nothing else: the service declined this one call, its answer or an item of the table
   * cannot be read, or the call failed while the service answers others. To find out costs one call, and no call once
   * the service is known to be down.
   */
  isIsolatedFailure(error: unknown): Promise<boolean>;
  /** Counts what failed and is deferred. */
  noteDeferred(error: unknown): void;
  /** The service could not be called. The first such failure is the result of the run. */
  noteServiceFailure(error: PortingFailure): void;
  serviceFailure(): string | undefined;
  /** Logs and counts an item of the table that cannot be read. */
  readonly noteUnreadable: OnUnreadable;
}

/** After this many isolated failures in a row, the next one is taken for a failure of the service. */
const mostInARow = 5;

/** The classifier of one run, and a client whose successful reads it notices. */
export function createFailureClassifier({ rateLimiter, log, metrics, ...pipeline }: ServicePipeline): {
  readonly client: PortingClient;
  readonly failures: FailureClassifier;
} {
  const serialQueue = createSerialQueue();
  let inARow = 0;
  let isDown = false;
  let serviceFailure: string | undefined;
  const { client, allRead } = watchReads(pipeline.client, () => {
    inARow = 0;
  });

  /** Asks the service for what every account has. */
  const probe = async (): Promise<void> => {
    if (isDown) return;
    // Reads that fail meanwhile would count as further failures of the service.
    await allRead();
    try {
      await rateLimiter.probeNow();
      await client.networks();
    } catch (error) {
      if (!isPortingFailure(error)) throw error;
      isDown = true;
    }
  };

  const failures: FailureClassifier = {
    isIsolatedFailure: async (error) => {
      if (error instanceof UnreadableItem || isDecline(error)) return true;
      const failure = answerIn(error);
      if (failure === undefined) return false;
      if (outcomeOfCall(failure).kind === 'ok') return true;
      if (inARow >= mostInARow) return false;
      await serialQueue(probe);
      return !isDown;
    },
    noteDeferred: (error) => {
      metrics.count(error instanceof UnreadableItem ? 'unreadableItems' : 'deferred');
      if (outcomeOfCall(answerIn(error)).kind === 'failed') inARow += 1;
    },
    noteServiceFailure: ({ message }) => {
      serviceFailure ??= message;
    },
    serviceFailure: () => serviceFailure,
    noteUnreadable: noteUnreadable({ log, metrics }),
  };
  return { client, failures };
}

export const noteUnreadable =
  ({ log, metrics }: Pick<ServicePipeline, 'log' | 'metrics'>): OnUnreadable =>
  (error) => {
    metrics.count('unreadableItems');
    log.error('an item of the table cannot be read, so nothing is done about it', { item: error.place, error });
  };

/** The same client, which calls `onRead` after each successful read. `allRead` awaits the reads in progress. */
function watchReads(client: PortingClient, onRead: () => void) {
  const reads = new Set<Promise<unknown>>();
  const watched =
    <Given extends unknown[], Result>(read: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const reading = read(...given).finally(() => reads.delete(reading));
      reads.add(reading);
      const result = await reading;
      onRead();
      return result;
    };
  return {
    client: { ...client, port: watched(client.port), simServices: watched(client.simServices) },
    allRead: () => Promise.allSettled(reads),
  };
}

/** undefined also where the item cannot be read. */
export async function unlessUnreadable<Result>(
  reading: Promise<Result>,
  { noteUnreadable }: FailureClassifier,
): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    noteUnreadable(error);
    return undefined;
  }
}

/** Whether a call about one port or SIM failed, because of that port or SIM or because of the service. */
export const hasOwnFailure = (error: unknown): boolean => answerIn(error) !== undefined;

/**
 * The failure of a call that reached the service. A call that was deferred or not sent proves nothing about its
 * subject.
 */
function answerIn(error: unknown): PortingFailure | undefined {
  const failure = error instanceof CallDeferred ? error.cause : error;
  if (!isPortingFailure(failure)) return undefined;
  return failure.mayBeIsolated ? failure : undefined;
}

// A request whose port cannot be read is deferred, so that the others need not wait for it.

/** undefined: the request stays due, was declined, or changed meanwhile. */
export type Unsettled = 'actionRequired' | undefined;

/** Returns the result of `step`, or the state of the request after its port could not be read. */
export async function deferIfUnreadable<Result>(
  item: RequestItem,
  run: SyncRun,
  step: () => Promise<Result>,
): Promise<Result | Unsettled> {
  const { failures, clocks, settings, log } = run;
  try {
    return await step();
  } catch (error) {
    if (!(await failures.isIsolatedFailure(error))) throw error;
    log.error('the port of a request could not be read', { importId: item.importId, request: item.request, error });
    failures.noteDeferred(error);
    const times = { now: clocks.wall(), quietMs: settings.quietMs };
    const isMissing = error instanceof NotFound;
    const next = isMissing ? recordMissingPort(item, error.message, times) : deferUnreadable(item, times);
    return moveUnsettled(item, next, run);
  }
}

/** Writes a request whose port was not found. */
export async function moveUnsettled(
  item: RequestItem,
  next: RequestItem,
  pipeline: ServicePipeline,
): Promise<Unsettled> {
  const stored = await moveRequest(item, next, pipeline);
  return stored?.state === 'action-required' ? 'actionRequired' : undefined;
}
