// Finds out that a correction is imported with another operation than the one that it is for.
import { mapHeader } from '#shared/csv/map-header.ts';
import type { UploadSettings } from '#shared/csv/upload-settings.ts';
import type { Operation } from '#shared/operations/kit/operation.ts';

export interface CorrectionColumns {
  readonly header: readonly string[];
  readonly settings: Pick<UploadSettings, 'defaults' | 'mapping'>;
  /** Those of the operation that the file is imported with. */
  readonly columns: Operation['columns'];
}

/**
 * The operation whose columns the file has; otherwise each column of the chosen one would be reported as missing.
 * undefined: the chosen one is right, or none is.
 * @param kinds the operations that correct the import
 */
export function findOtherOperation(file: CorrectionColumns, kinds: readonly Operation[]): Operation | undefined {
  const read = (columns: Operation['columns']) => {
    const { indexes, issues } = mapHeader(file.header, columns, file.settings);
    return { known: indexes.size, isComplete: issues.every(({ code }) => code !== 'HEADER_MISSING_COLUMN') };
  };
  const chosen = read(file.columns);
  if (chosen.isComplete) return undefined;
  // A file of create-port that misses a column has all columns of update-port, but fewer than its own.
  return kinds.find(({ columns }) => {
    const { known, isComplete } = read(columns);
    return isComplete && known > chosen.known;
  });
}
