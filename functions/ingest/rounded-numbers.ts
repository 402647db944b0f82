// Recognises numbers that a spreadsheet program rounded: 4.477E+11 that was formatted as a number is 447700000000.
import { type Issue, warning } from '#shared/domain/imports/issue.ts';
import { counted } from '#shared/domain/text/counted.ts';
import type { ImportUniqueness } from './duplicate-index.ts';

/** In percent of the rows. A file with large blocks of numbers has some round ones, far fewer than this. */
const smallestShare = 1;
const shownLines = 10;

/** A warning that makes the file wait for approval; undefined where its round numbers are as many as chance makes. */
export function findRoundedNumbers(uniqueness: ImportUniqueness, accepted: number): Issue | undefined {
  const { lines: round, areRepeated } = uniqueness.roundNumbers('msisdn', 5);
  const areMany = round.length > 1 && round.length * 100 >= smallestShare * accepted;
  if (areMany || (areRepeated && round.length > 0)) return roundedNumbers(round, 'five');
  const { lines } = uniqueness.roundNumbers('msisdn', 3);
  return lines.length > 2 && lines.length * 2 > accepted ? roundedNumbers(lines, 'three') : undefined;
}

function roundedNumbers(lines: readonly number[], zeros: string): Issue {
  const [first = 0] = lines;
  const shown = lines.slice(0, shownLines).join(', ');
  const more = lines.length > shownLines ? ` and ${counted(lines.length - shownLines, 'other')}` : '';
  const message =
    `${counted(lines.length, 'number')} on ${lines.length === 1 ? 'line' : 'lines'} ${shown}${more} ` +
    `${lines.length === 1 ? 'ends' : 'end'} in ${zeros} zeros or more: a spreadsheet program may have replaced the last ` +
    'digits. Nothing is sent until the plan is approved: compare them with their source first';
  return { line: first, column: 'msisdn', ...warning('MSISDN_ROUNDED', message) };
}
