// Text from outside made safe and short for a terminal: file names, messages of the service and cells of a CSV can
// contain escape sequences that move the cursor or hide text.
import stringWidth from 'string-width';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/gu;
const lineBreaks = /[\r\n\u2028\u2029]+/u;
// Cc: control characters, also those of C1. Cf: zero-width and bidirectional marks, soft hyphens and tags, which can
// disguise text. The rest: letters without a shape.
const invisible = /[\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0]/gu;

/** Text on one line, without anything that a terminal would execute instead of showing it. */
export function plain(text: string): string {
  const [first = '', ...others] = text.replace(escapeSequence, '').split(lineBreaks);
  const line = others.length === 0 ? first : joinLines(first, others);
  return line.replace(/\t/gu, ' ').replace(invisible, '');
}

/** The codes of paint.ts. Nothing else that a terminal executes may reach it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
const ownColours = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/u;

/** A line that may be painted, without anything else that a terminal would execute or that people could not see. */
export const painted = (line: string): string =>
  line
    .split(ownColours)
    .map((part, index) => (index % 2 === 1 ? part : plain(part)))
    .join('');

/** The space at the ends of the text stays. */
const joinLines = (first: string, others: readonly string[]): string => {
  const last = others.at(-1) ?? '';
  return [first.trimEnd(), ...others.slice(0, -1).map((line) => line.trim()), last.trimStart()].join(' ');
};

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

/** The text in lines of at most `width` columns, broken between any two characters. */
export function breakAnywhere(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  // Characters without a width make a line of any length, which is not measured again for each of them.
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    const more = displayWidth(segment);
    if (columns + more > width) {
      lines.push(line);
      line = '';
      columns = 0;
    }
    line += segment;
    columns += more;
  }
  return [...lines, line];
}

/** The text in lines of at most `width` columns, broken at spaces. A longer word has a separate, longer line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let columns = 0;
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const more = displayWidth(word);
    if (line !== '' && columns + 1 + more > width) {
      lines.push(line);
      line = word;
      columns = more;
    } else {
      columns += line === '' ? more : 1 + more;
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

/** One word for a shell. */
export const shellQuoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
