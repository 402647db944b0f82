// What the user must know about the columns of a file before reading the findings about its rows.
import type { HeaderMap } from '#shared/csv/map-header.ts';
import { type Issue, type IssueCode, notice } from '#shared/domain/imports/issue.ts';
import { counted } from '#shared/domain/text/counted.ts';
import type { Column } from '#shared/operations/kit/operation.ts';

const mostNamed = 8;

/** At most one notice for the columns that are not used, and one for those that only the service checks. */
export function headerNotices(
  { indexes, defaults, extras }: HeaderMap,
  columns: readonly Column[],
  line: number,
): Issue[] {
  const issue = (code: IssueCode, message: string): Issue => ({ line, column: null, ...notice(code, message) });
  const unused = extras.map(({ name }) => `"${name}"`).filter((name) => name !== '""');
  const unchecked = columns
    .filter(({ name, onlyServiceChecks }) => onlyServiceChecks && (indexes.has(name) || defaults.has(name)))
    .map(({ name }) => name);
  const found: Issue[] = [];
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

const listOf = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? names.join(', ')
    : `${names.slice(0, mostNamed).join(', ')}, and ${names.length - mostNamed} more`;
