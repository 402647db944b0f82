// Reads the list of ports from both ends towards its middle. It finds ports that were created lately, where the list
// shows them first or last; it proves nothing.
import type { PortSummary } from '#shared/porting/contract.ts';
import { readIfPresent } from '#shared/porting/scan-port-list.ts';
import type { SyncDependencies } from '../dependencies.ts';

const pageSize = 50;
/** A list with fewer ports is read as a whole as fast. */
const shortList = 20 * pageSize;
/** Of each end. In a time of 2,000 new ports a minute, a port is that far from the end after a minute. */
const mostPages = 40;

export const isLongList = (total: number): boolean => total > shortList;

export interface EndsToRead {
  readonly total: number;
  readonly visit: (port: PortSummary) => void;
  readonly isDone: () => boolean;
}

/** At most every tenth page. Rejects with the failures of `listPorts`. */
export async function readEnds({ total, visit, isDone }: EndsToRead, dependencies: SyncDependencies): Promise<void> {
  const { client, settings } = dependencies;
  const last = Math.ceil(total / pageSize);
  const deepest = Math.min(mostPages, Math.floor(last / 20));
  let width = 1;
  for (let depth = 0; depth < deepest && !isDone(); depth += width, width = Math.min(2 * width, settings.callsAtOnce)) {
    const depths = Array.from({ length: Math.min(width, deepest - depth) }, (_, place) => depth + place);
    const numbers = depths.flatMap((each) => [1 + each, last - each]);
    const pages = await Promise.all(
      numbers.map((number) => readIfPresent((page) => client.listPorts(page, pageSize), number)),
    );
    for (const port of pages.flatMap(({ data }) => data)) visit(port);
  }
}
