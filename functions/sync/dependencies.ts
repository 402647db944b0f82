// What sync works with.

import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { Submission } from '#shared/operations/operation.ts';
import type { PipelineSettings, ServicePipeline } from '#shared/pipeline/pipeline.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/deadline.ts';
import type { Leases } from '#shared/store/leases.ts';
import type { ReportNotifications } from '#shared/store/tables/report-notifications.ts';
import type { Resolutions } from '#shared/store/tables/resolutions.ts';
import type { FailureClassifier } from './run.ts';
import type { SearchStore } from './unknown/search-store.ts';

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
  readonly watchLateCommits: (run: SyncRun, imports: Set<string>) => Promise<number>;
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
}

export const isDeadlineNear = ({ deadline }: { readonly deadline: Deadline }): boolean =>
  !deadline.hasTimeFor(timeNeeded.finishRun);

/** What the request's call makes; undefined for an operation that this version does not have. */
export const makesOf = (
  { operation }: RequestItem,
  { operationNamed }: SyncPipeline,
): Submission['makes'] | undefined => operationNamed(operation)?.submission.makes;
