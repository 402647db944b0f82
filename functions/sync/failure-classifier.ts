// Decides whether a failure concerns one port, or the whole service (decision 18). A port that always answers 500 must
// not end every run before the ports after it are read, and a service that is down must not be called once for every
// port.
import { moveRequest } from '#shared/pipeline/move-request.ts';
import type { ServicePipeline } from '#shared/pipeline/pipeline.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { deferUnreadable, recordMissingPort } from '#shared/request/waiting-request.ts';
import { type OnUnreadable, UnreadableItem } from '#shared/row/issue.ts';
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

export interface FailureClassifier {
  /**
   * Whether the failure concerns nothing else: the service declined this one call, its answer or an item of the table
   * cannot be read, or the call failed while the service answers others. To find out costs one call, and no call once
   * the service is known to be down.
   */
  isIsolatedFailure(error: unknown): Promise<boolean>;
  /** Counts a failure that concerns nothing else: what failed is tried again later. @throws any other failure */
  deferIsolated(error: unknown): Promise<void>;
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

  const isIsolatedFailure = async (error: unknown): Promise<boolean> => {
    if (error instanceof UnreadableItem || isDecline(error)) return true;
    const failure = answerIn(error);
    if (failure === undefined) return false;
    if (outcomeOfCall(failure).kind === 'ok') return true;
    if (inARow >= mostInARow) return false;
    await serialQueue(probe);
    return !isDown;
  };

  const failures: FailureClassifier = {
    isIsolatedFailure,
    deferIsolated: async (error) => {
      if (!(await isIsolatedFailure(error))) throw error;
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
  run: ServicePipeline & { readonly failures: FailureClassifier },
  step: () => Promise<Result>,
): Promise<Result | Unsettled> {
  const { failures, clocks, settings, log } = run;
  try {
    return await step();
  } catch (error) {
    await failures.deferIsolated(error);
    log.error('the port of a request could not be read', { importId: item.importId, request: item.request, error });
    const times = { now: clocks.wall(), quietMs: settings.quietMs };
    // What is done for a created request is to read its port: the specification names no status for an id it lacks.
    const isMissing = error instanceof NotFound || (item.state === 'created' && isDecline(error));
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
