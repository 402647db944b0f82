// The words of a column name, however it is written.

/** Case, spaces, underscores, hyphens and the like do not distinguish names. */
export const normalizeName = (name: string): string => name.toLowerCase().replace(/[\s_\-./#()[\]:*?]+/g, '');

/** How to fill in a column: `(Y/N)`, `(DD/MM/YYYY)`, `(separate with ;)`. */
const hint =
  /\s*[([](?:y\/?n|yes\s*(?:\/|or)\s*no|true\s*(?:\/|or)\s*false|[dmy/.\- ]{5,12}|separate[^)\]]*|optional|required|mandatory)[)\]]/gi;

/** The name in a header, without how to fill the column in. */
export const withoutHint = (cell: string): string => cell.replace(hint, '').trim();

/** `boltOns` and `Bolt-Ons` have the same words; so has the singular. */
export const wordsOf = (text: string): string =>
  text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/s$/, ''))
    .join(' ')
    .trim();
