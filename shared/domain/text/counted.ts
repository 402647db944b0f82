// Counts as people read them.

/** `1,234,567`, in every language setting alike, because scripts compare tables. */
export const count = (value: number): string => (isShort(value) ? String(value) : value.toLocaleString('en-GB'));

/** Most counts are; the language functions are slow. */
const isShort = (value: number): boolean => Number.isInteger(value) && value > -1000 && value < 1000;

/** `1 row`, `3 rows`, `1,000 rows`. */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`;
