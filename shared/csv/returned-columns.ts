// The columns that we add to rows which come back to be mended: a file that is dropped with them is read without them.

/** Behind the file's own columns, in rejected.csv and correct-create-port.csv. */
export const returnedColumns = ['line', 'errors'] as const;

/** How many of the cells of each record are the file's own. */
export function ownColumnCount(header: readonly string[]): number {
  const own = header.length - returnedColumns.length;
  return own > 0 && returnedColumns.every((name, index) => header[own + index] === name) ? own : header.length;
}
