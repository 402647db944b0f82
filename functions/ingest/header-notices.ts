// What the user must know about the columns of a file before reading the findings about its rows.

import { columnLetters } from '#shared/csv/column-letters.ts';
import { type Issue, type IssueCode, notice } from '#shared/domain/imports/issue.ts';
import { counted } from '#shared/domain/text/counted.ts';
import type { Column } from '#shared/operations/kit/operation.ts';
import type { FileHeader } from '#shared/operations/kit/option-columns.ts';

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
  const unused = [
    ...named,
    ...namelessColumns(header, samples)
      .filter(({ index }) => !options.some((one) => one.index === index))
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
