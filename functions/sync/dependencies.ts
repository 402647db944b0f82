// Everything that sync is wired with.
import type { OperationName } from '#shared/domain/imports/operation-name.ts';
import type { RateLimitItem } from '#shared/domain/requests/rate-limit-item.ts';
import type { OnUnreadable } from '#shared/domain/requests/unreadable-item.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { SnapshotSettings } from '#shared/ledger/observe-port.ts';
import type { Operation, Submission } from '#shared/operations/kit/operation.ts';
import type { PortingClient } from '#shared/porting/client.ts';
import type { RateLimiter } from '#shared/porting/rate-limiter.ts';
import type { Clocks } from '#shared/runtime/clock.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/deadline.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import type { ChangeablePlans, Plans } from '#shared/store/files/plans.ts';
import type { Queues } from '#shared/store/queues/queues.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import type { Leases } from '#shared/store/tables/leases.ts';
import type { Numbers } from '#shared/store/tables/numbers.ts';
import type { PortSnapshots } from '#shared/store/tables/port-snapshots.ts';
import type { Ports } from '#shared/store/tables/ports.ts';
import type { ReportNotifications } from '#shared/store/tables/report-notifications.ts';
import type { Requests } from '#shared/store/tables/requests.ts';
import type { Resolutions } from '#shared/store/tables/resolutions.ts';
import type { Comparisons } from '#shared/store/tables/service-mismatches.ts';
import type { FailureClassifier } from './failure-classifier.ts';
import type { SearchStore } from './unknown-outcomes/search-store.ts';

export interface SyncSettings extends SnapshotSettings {
  /**
   * How long rows with invalid PACs may block others, in milliseconds of calendar time.
   * @default - until a person acts
   */
  readonly removeBlockingAfterMs?: number | undefined;
  /** The same for imports whose upload has `on-invalid-pac: remove`. @default `removeBlockingAfterMs` */
  readonly removeIfChosenAfterMs?: number | undefined;
  /** How long after an unknown outcome sync waits before it asks the service. */
  readonly quietMs: number;
  readonly submitQueueUrl: string;
  readonly reportQueueUrl: string;
  /** Requests and ports that one run takes on, each. */
  readonly limit: number;
  /** SIMs whose services one run compares: a call each. */
  readonly simsPerRun: number;
  /** Reads of the service at the same time. */
  readonly callsAtOnce: number;
}

export interface SyncDependencies {
  readonly requests: Requests;
  readonly ports: Ports;
  readonly numbers: Numbers;
  readonly snapshots: PortSnapshots;
  readonly imports: Imports;
  readonly notifications: ReportNotifications;
  readonly comparisons: Comparisons;
  readonly resolutions: Resolutions;
  readonly leases: Leases;
  readonly plans: Plans;
  readonly replacePlanned: ChangeablePlans['replace'];
  /** Searches of the port list that take more than one run. */
  readonly searches: SearchStore;
  readonly queues: Queues;
  readonly client: Pick<
    PortingClient,
    'throwIfDeferred' | 'networks' | 'listPorts' | 'port' | 'cancelPort' | 'simServices' | 'updatePort'
  >;
  readonly rateLimiter: RateLimiter & { get(): Promise<RateLimitItem | undefined> };
  readonly operationNamed: (name: OperationName) => Operation | undefined;
  /** Acts once an hour. Returns how many uploads were announced again. */
  readonly sweepInbox: (onUnreadable: OnUnreadable) => Promise<number>;
  /** Returns how many imports without a message were announced again. */
  readonly rescueImports: (onUnreadable: OnUnreadable) => Promise<number>;
  /** Acts once an hour. Returns how many ports were found that the service created late. */
  readonly watchLateCommits: (run: RunDependencies, imports: Set<string>) => Promise<number>;
  /** Acts once a day. Returns whether it did this time. */
  readonly writeReferenceData: () => Promise<boolean>;
  readonly settings: SyncSettings;
  readonly clocks: Clocks;
  /** Names this run. */
  readonly runId: string;
  /** A person asks whether the service accepts the secret; `client` has not read it yet. @default false */
  readonly checkSecret?: boolean;
  readonly deadline: Deadline;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Inside of a run. */
export interface RunDependencies extends SyncDependencies {
  readonly failures: FailureClassifier;
}

export const isDeadlineNear = ({ deadline }: { readonly deadline: Deadline }): boolean =>
  !deadline.hasTimeFor(timeNeeded.finishRun);

/** What the request's call makes; undefined for an operation that this version does not have. */
export const makesOf = (
  { operation }: RequestItem,
  { operationNamed }: SyncDependencies,
): Submission['makes'] | undefined => operationNamed(operation)?.submission.makes;
