// The columns that simporter adds to rows for correction. When such a file is imported again they are ignored.

/** Behind the file's own columns, in rejected.csv and correct-create-port.csv. */
export const correctionColumns = ['line', 'errors'] as const;

/** How many of the cells of each record are the file's own. */
export function ownColumnCount(header: readonly string[]): number {
  const own = header.length - correctionColumns.length;
  return own > 0 && correctionColumns.every((name, index) => header[own + index] === name) ? own : header.length;
}
