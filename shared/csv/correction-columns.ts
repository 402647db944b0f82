// The columns that simporter adds to rows for correction. When such a file is imported again they are ignored.

import { addedColumns, prefixed } from './added-columns.ts';

const isName = (written: string | undefined, name: string): boolean => written === name || written === prefixed(name);

/** Behind the file's own columns, in rejected.csv and correct-create-port.csv. */
const correctionColumns = ['line', 'errors'] as const;

/** Their names in a file with these other columns. */
export const correctionColumnsBeside = (own: readonly string[]): string[] => addedColumns(own, correctionColumns);

/** How many of the cells of each record are the file's own. */
export function ownColumnCount(header: readonly string[]): number {
  const own = header.length - correctionColumns.length;
  return own > 0 && correctionColumns.every((name, index) => isName(header[own + index], name)) ? own : header.length;
}
