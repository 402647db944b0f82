// Notices about a file as a whole: its columns, how its rows were grouped into requests, and numbers that a spreadsheet
// program may have rounded.
import { columnLetters } from '#shared/files/csv/csv-row.ts';
import type { FileHeader } from '#shared/operations/columns/option-columns.ts';
import type { Column } from '#shared/operations/operation.ts';
import { type Issue, type IssueCode, notice, warning } from '#shared/row/issue.ts';
import { counted } from '#shared/text/wording.ts';
import type { ImportUniqueness } from '../validate/duplicate-index.ts';
import type { Grouping } from './grouping.ts';
import type { RoundSims, RowCounter } from './plan-batch.ts';

const mostNamed = 8;

export interface HeaderContext {
  readonly line: number;
  readonly header: readonly string[];
  readonly samples: readonly (readonly string[])[];
}

/** At most one notice for the columns that are services or bolt-ons, one for those that are not used, and one for those
 * that only the service checks. */
export function headerNotices(
  { indexes, defaults, extras, options = [] }: FileHeader,
  columns: readonly Column[],
  { line, header, samples }: HeaderContext,
): Issue[] {
  const issue = (code: IssueCode, message: string): Issue => ({ line, column: null, ...notice(code, message) });
  const named = extras.map(({ name }) => `"${name}"`).filter((name) => name !== '""');
  const isUsed = new Set([...indexes.values(), ...options.map(({ index }) => index)]);
  const unused = [
    ...named,
    ...namelessColumns(header, samples)
      .filter(({ index }) => !isUsed.has(index))
      .map(({ shown }) => shown),
  ];
  const unchecked = columns
    .filter(({ name, onlyServiceChecks }) => onlyServiceChecks && (indexes.has(name) || defaults.has(name)))
    .map(({ name }) => name);
  const found: Issue[] = [];
  if (options.length > 0) {
    const read = options.map(({ header: name, option, column }) =>
      option === undefined ? `"${name}" (more ${column})` : `"${name}" (the ${option.what} ${option.name})`,
    );
    const are =
      read.length === 1 ? 'column is read as a service or bolt-on' : 'columns are read as services or bolt-ons';
    const message = `${read.length} ${are}: ${listOf(read)}. To keep one as your own: --map "NAME="`;
    found.push(issue('HEADER_OPTION_COLUMNS', message));
  }
  if (unused.length > 0) {
    const are = unused.length === 1 ? 'is' : 'are';
    const message = `${counted(unused.length, 'column')} ${are} not used, only copied into the results: ${listOf(unused)}`;
    found.push(issue('HEADER_COLUMNS_NOT_USED', message));
  }
  if (unchecked.length > 0) {
    const message = `Not checked: ${listOf(unchecked)}. The service decides whether the values are valid`;
    found.push(issue('HEADER_COLUMNS_NOT_CHECKED', message));
  }
  return found;
}

/** Of a merged header cell, only the first column has a name. */
const namelessColumns = (header: readonly string[], samples: HeaderContext['samples']) =>
  header.flatMap((name, index) => {
    const hasValues = name.trim() === '' && samples.some((cells) => (cells[index] ?? '').trim() !== '');
    return hasValues ? [{ index, shown: `column ${columnLetters(index)} (it has values and no name)` }] : [];
  });

const listOf = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? names.join(', ')
    : `${names.slice(0, mostNamed).join(', ')}, and ${names.length - mostNamed} more`;

export const groupingNotices = ({ rowsApart, emittedEarly }: Grouping): (Issue | undefined)[] => [
  apartNotice(rowsApart),
  manyCombinations(emittedEarly),
];

function apartNotice(rows: number): Issue | undefined {
  if (rows === 0) return undefined;
  const message =
    `${counted(rows, 'row')} whose PAC expires on the connection date or within 3 days after it ` +
    `${rows === 1 ? 'is in a separate port' : 'are in separate ports'}, so that no other row waits`;
  return { line: 0, column: 'pacExpiry', ...notice('FILE_EXPIRING_PACS_SEPARATED', message) };
}

function manyCombinations(requestCount: number): Issue | undefined {
  if (requestCount === 0) return undefined;
  const message =
    `${counted(requestCount, 'request')} may have fewer rows than possible, because rows of too many combinations waited at once. ` +
    'Sort the file by its repeating columns for fewer requests';
  return { line: 0, column: null, ...notice('FILE_MANY_COMBINATIONS', message) };
}

/** In percent of the rows. A file with large blocks of numbers has some round ones, far fewer than this. */
const smallestShare = 1;
const shownLines = 10;

/**
 * Warnings that make the file wait for approval: of numbers and SIMs that end in zeros, if there are more than chance
 * explains.
 */
export const findRounded = (uniqueness: ImportUniqueness, { counts, roundSims }: RowCounter): (Issue | undefined)[] => [
  findRoundedNumbers(uniqueness, counts.accepted),
  findRoundedSims(roundSims, counts.accepted),
];

/** One true serial in ten thousand ends in four zeros; of those that a spreadsheet rounded, one in ten is accepted. */
const rowsForOneRoundSim = 1000;

function findRoundedSims({ lines, areOthersInvalid }: RoundSims, accepted: number): Issue | undefined {
  const [line] = lines;
  if (line === undefined || !(areOthersInvalid || lines.length * rowsForOneRoundSim >= accepted)) return undefined;
  const message = rounded(lines, 'SIM serial', 'zeros behind their first 15 digits');
  return { line, column: null, ...warning('ICCID_ROUNDED', message) };
}

function findRoundedNumbers(uniqueness: ImportUniqueness, accepted: number): Issue | undefined {
  const { lines: round, areRepeated } = uniqueness.roundNumbers('msisdn', 5);
  const areMany = round.length > 1 && round.length * 100 >= smallestShare * accepted;
  if (areMany || (areRepeated && round.length > 0)) return roundedNumbers(round, 'five');
  const { lines } = uniqueness.roundNumbers('msisdn', 3);
  return lines.length > 2 && lines.length * 2 > accepted ? roundedNumbers(lines, 'three') : undefined;
}

function roundedNumbers(lines: readonly number[], zeros: string): Issue {
  const message = rounded(lines, 'number', `${zeros} zeros or more`);
  return { line: lines[0] ?? 0, column: 'msisdn', ...warning('MSISDN_ROUNDED', message) };
}

function rounded(lines: readonly number[], what: string, zeros: string): string {
  const shown = lines.slice(0, shownLines).join(', ');
  const more = lines.length > shownLines ? ` and ${counted(lines.length - shownLines, 'other')}` : '';
  return (
    `${counted(lines.length, what)} on ${lines.length === 1 ? 'line' : 'lines'} ${shown}${more} ` +
    `${lines.length === 1 ? 'ends' : 'end'} in ${zeros}: a spreadsheet program may have replaced the last ` +
    'digits. Nothing is sent until the plan is approved: compare them with their source first'
  );
}
