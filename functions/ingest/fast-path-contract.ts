// What the rest of ingest knows about the fast path (docs/ingest-fast-path.md). Only `plan.ts` imports its folder.
import type { HeaderMap } from '#shared/csv/map-header.ts';
import type { CellSpans } from '#shared/csv/record-batch.ts';
import type { AccountSettings, CombinationFinding, Operation, Shape } from '#shared/operations/kit/operation.ts';
import type { Grouping } from './grouping.ts';
import type { RowValidator } from './row-validator.ts';

/** A faster way to plan rows that resemble earlier rows. It may leave any row to the validator. */
export interface FastPath {
  /** Must be called for each batch before its first record is tried. */
  startBatch(spans: CellSpans): void;
  /**
   * Plans the record with this index, if it can, and answers its warnings. undefined: the record must be validated.
   */
  tryRecord(index: number, line: number): readonly CombinationFinding[] | undefined;
  /**
   * Must be called when the record that was tried last turned out valid, without other issues than these warnings,
   * and is in the usual requests of its combination.
   */
  learn(shape: Shape, warnings: readonly CombinationFinding[], record: readonly string[]): void;
}

export interface FastPathContext {
  readonly operation: Operation;
  readonly header: HeaderMap;
  readonly settings: AccountSettings;
  readonly validator: RowValidator;
  readonly grouping: Grouping;
}

export type OpenFastPath = (context: FastPathContext) => FastPath;

/** Leaves every row to the validator. */
export const openNoFastPath: OpenFastPath = () => ({
  startBatch: () => {},
  tryRecord: () => undefined,
  learn: () => {},
});
