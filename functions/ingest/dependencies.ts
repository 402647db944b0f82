// Everything that ingest is wired with.
import type { ApprovalMode } from '#shared/domain/imports/approval.ts';
import type { Catalogue } from '#shared/operations/kit/catalogue.ts';
import type { AccountSettings, Operation } from '#shared/operations/kit/operation.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import type { Files } from '#shared/store/files/files.ts';
import type { ChangeablePlans } from '#shared/store/files/plans.ts';
import type { Queues } from '#shared/store/queues/queues.ts';
import type { Audit } from '#shared/store/tables/audit.ts';
import type { Contents } from '#shared/store/tables/contents.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import type { Numbers } from '#shared/store/tables/numbers.ts';
import type { Ports } from '#shared/store/tables/ports.ts';
import type { ReportNotifications } from '#shared/store/tables/report-notifications.ts';
import type { Requests } from '#shared/store/tables/requests.ts';
import type { SavedSettingsStore } from '#shared/store/tables/saved-settings.ts';
import type { GroupingLimits } from './grouping.ts';

export interface PlanLimits extends Omit<GroupingLimits, 'maxRowsPerRequest' | 'separatesAtRisk'> {
  readonly maxFileRows: number;
  /** The highest percentage of invalid rows at which the others are submitted; 0 is all or nothing. */
  readonly toleratedFailurePercentage: number;
}

export interface IngestDependencies {
  readonly files: Files;
  readonly imports: Imports;
  readonly requests: Requests;
  readonly ports: Ports;
  readonly numbers: Numbers;
  readonly contents: Contents;
  readonly savedSettings: SavedSettingsStore;
  readonly notifications: ReportNotifications;
  readonly audit: Pick<Audit, 'deedsOf'>;
  readonly plans: ChangeablePlans;
  readonly queues: Queues;
  readonly operations: ReadonlyMap<string, Operation>;
  /** A catalogue that has read nothing yet. */
  readonly openCatalogue: () => Catalogue;
  /** Reads of the service at the same time. */
  readonly callsAtOnce: number;
  readonly account: number;
  readonly settings: AccountSettings;
  readonly approval: ApprovalMode;
  readonly limits: PlanLimits & { readonly maxFileBytes: number };
  /** Days for which the items of an import are kept after it has ended. */
  readonly recordRetentionDays: number;
  readonly workBucket: string;
  readonly resultsBucket: string;
  /** Its policy admits only S3, this function and sync, so its events can be trusted. */
  readonly ingestQueueUrl: string;
  readonly commandQueueUrl: string;
  readonly submitQueueUrl: string;
  readonly reportQueueUrl: string;
  readonly calendar: Clock;
  readonly wall: Clock;
  /** The present instant of wall time, ISO 8601. */
  readonly now: () => string;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly log: Log;
  readonly metrics: Metrics;
}
