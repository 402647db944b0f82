// In which columns of a file people write what they want: they are masked and shown alike.

/** Columns of operations that are only copied into the results. */
const copied: readonly string[] = ['reference'];

/** @param column of the operation; null or undefined for a column of the user's own */
export const isOwnText = (column: string | null | undefined): boolean =>
  column === null || column === undefined || copied.includes(column);
