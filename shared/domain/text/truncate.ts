// Cuts texts to a limit without cutting a character in half.

/**
 * At most `limit` UTF-16 units, and so at most `limit` code points, without half of a surrogate pair.
 */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, Math.max(0, limit));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A text as one line, for names: control characters and line breaks become single spaces. */
export const oneLine = (text: string): string => text.replace(/[\s\p{C}]+/gu, ' ').trim();

/** All rows of a port or a request share one item of at most 400 KB, and a character takes up to three bytes. */
const longestMessages = 100_000;
const longestOfOne = 500;

/** Characters of a message that are kept for each row of a list. */
export const longestRowMessage = (rows: number): number => Math.min(longestOfOne, Math.floor(longestMessages / rows));
