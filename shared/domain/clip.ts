// Names with a limit: cut so that neither the limit nor a character is broken.

/**
 * At most `limit` UTF-16 units, hence at most as many code points whichever of the two the service counts,
 * and never half of a surrogate pair.
 */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, Math.max(0, limit));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** One line of a person's text, made fit for a name: control and line breaks become single spaces. */
export const oneLine = (text: string): string => text.replace(/[\s\p{C}]+/gu, ' ').trim();
