// Foreign text made safe and short for a terminal: file names, messages of the service and cells of a CSV may hold
// anything, also escape sequences that would move the cursor or hide a line.
import stringWidth from 'string-width';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/gu;
const lineBreak = /\s*[\r\n\u2028\u2029]+\s*/gu;
// Cc: control characters. The rest: zero-width and bidirectional marks, with which text can pretend to be other text.
const unseen = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Text on one line, without anything that a terminal would obey instead of showing it. */
export function plain(text: string): string {
  return text.replace(escapeSequence, '').replace(lineBreak, ' ').replace(/\t/gu, ' ').replace(unseen, '');
}

/** Columns that the text takes on a terminal: wide characters two, combining marks none. */
export const displayWidth = (text: string): number => stringWidth(text);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The text, or as much of it as fits `width` columns, ending in an ellipsis. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}

/** The text filled with spaces to `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? space + text : text + space;
}

/** `1,234,567`, in every language setting the same: tables are compared by scripts too. */
export const count = (value: number): string => value.toLocaleString('en-GB');

/** `1 row`, `3 rows`, `1,000 rows`. */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`;
