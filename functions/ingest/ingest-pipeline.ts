// What ingest works with.
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { Operation } from '#shared/operations/operation.ts';
import type { ServicePipeline } from '#shared/pipeline/pipeline.ts';
import type { Contents } from '#shared/store/first-uses.ts';
import type { ReportNotifications } from '#shared/store/imports.ts';
import type { Audit, SavedSettingsStore } from '#shared/store/people.ts';
import type { GroupingLimits } from './plan/grouping.ts';

export interface PlanLimits extends Omit<GroupingLimits, 'maxRowsPerRequest' | 'separatesAtRisk'> {
  readonly maxFileRows: number;
  /** The highest percentage of invalid rows at which the others are submitted; 0 is all or nothing. */
  readonly toleratedFailurePercentage: number;
}

export interface IngestPipeline extends ServicePipeline {
  readonly contents: Contents;
  readonly savedSettings: SavedSettingsStore;
  readonly notifications: ReportNotifications;
  readonly audit: Audit;
  readonly operations: ReadonlyMap<string, Operation>;
  /** For one import. It may have lists of the import before. */
  readonly openCatalogue: () => Catalogue;
  /** Names a delivery that begins an import again. */
  readonly newId: () => string;
  readonly limits: PlanLimits & { readonly maxFileBytes: number };
}
