// Counts as people read them.

/** `1,234,567`, in every language setting alike, because scripts compare tables. */
export const count = (value: number): string => value.toLocaleString('en-GB');

/** `1 row`, `3 rows`, `1,000 rows`. */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`;
