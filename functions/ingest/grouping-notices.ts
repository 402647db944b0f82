// What a person must know of how the rows of a file were put together into requests.
import { type Issue, notice } from '#shared/domain/imports/issue.ts';
import { count, counted } from '#shared/domain/text/counted.ts';
import type { Grouping } from './grouping.ts';

interface Rows {
  readonly firstRows: number | undefined;
  readonly accepted: number;
}

export const groupingNotices = (
  { rowsApart, emittedEarly }: Grouping,
  { firstRows, accepted }: Rows,
): (Issue | undefined)[] => [apartNotice(rowsApart), firstNotice(firstRows, accepted), manyCombinations(emittedEarly)];

function apartNotice(rows: number): Issue | undefined {
  if (rows === 0) return undefined;
  const message =
    `${counted(rows, 'row')} whose PAC expires on the connection date or within 3 days after it ` +
    `${rows === 1 ? 'is in a separate port' : 'are in separate ports'}, so that no other row waits`;
  return { line: 0, column: 'pacExpiry', ...notice('FILE_EXPIRING_PACS_SEPARATED', message) };
}

function firstNotice(first: number | undefined, accepted: number): Issue | undefined {
  if (first === undefined) return undefined;
  const rest = accepted - first;
  const message =
    rest > 0
      ? `The first ${counted(first, 'valid row')} are sent. The other ${count(rest)} wait until the import is resumed`
      : `The file has ${counted(accepted, 'valid row')}, so none waits behind the first ${count(first)}`;
  return { line: 0, column: null, ...notice('FILE_FIRST_ROWS', message) };
}

function manyCombinations(requestCount: number): Issue | undefined {
  if (requestCount === 0) return undefined;
  const message =
    `${counted(requestCount, 'request')} may have fewer rows than possible, because rows of too many combinations waited at once. ` +
    'Sort the file by its repeating columns for fewer requests';
  return { line: 0, column: null, ...notice('FILE_MANY_COMBINATIONS', message) };
}
