// Text from outside made safe and short for a terminal: file names, messages of the service and cells of a CSV can
// contain escape sequences that move the cursor or hide text.
import stringWidth from 'string-width';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/gu;
const lineBreak = /\s*[\r\n\u2028\u2029]+\s*/gu;
// Cc: control characters. The rest: zero-width and bidirectional marks, which can disguise text.
const invisible = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Text on one line, without anything that a terminal would execute instead of showing it. */
export function plain(text: string): string {
  return text.replace(escapeSequence, '').replace(lineBreak, ' ').replace(/\t/gu, ' ').replace(invisible, '');
}

/** Columns that the text takes on a terminal: wide characters take two, combining marks none. */
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

/** The text in lines of at most `width` columns, broken at spaces. A longer word has a separate, longer line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** The text filled with spaces to `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? space + text : text + space;
}

/** `2026-11-21 02:15`: the time in UTC, to the minute. */
export const formatInstant = (instant: string): string => instant.slice(0, 16).replace('T', ' ');
