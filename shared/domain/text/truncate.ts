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
