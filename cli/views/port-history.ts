// The status changes of a port, as a table.
import { formatTable, type TableOptions } from '../output/table.ts';
import { formatInstant } from '../output/text.ts';

interface StatusChange {
  readonly at: string;
  readonly status: string;
  readonly was?: string | undefined;
}

/** Empty when there is no change; otherwise it begins with an empty line. */
export function formatHistory(events: readonly StatusChange[], options: TableOptions): string[] {
  if (events.length === 0) return [];
  const cells = events.map(({ at, was, status }) => [formatInstant(at), was ?? '', status]);
  return ['', ...formatTable([{ header: 'time (UTC)' }, { header: 'from' }, { header: 'to' }], cells, options)];
}
