// Begins and ends a pass over the list of ports.
import { tokenOfPortName } from '#shared/domain/requests/identity.ts';
import type { PortItem } from '#shared/items/port.ts';
import { newScan, type ScanEnd, showsAll } from '#shared/porting/scan-port-list.ts';
import type { SyncDependencies } from '../dependencies.ts';
import type { FinishedPass, Pass, Search, Stamps } from './search.ts';

/**
 * Passes alternate between two page sizes: a list that turns over while it is read can skip the same ports at the same
 * ends of pages in both passes, with a length that is right.
 */
const pageSizes = [50, 46] as const;

export async function beginPass(stamps: Stamps, { earlier }: Search, dependencies: SyncDependencies): Promise<Pass> {
  const pageSize = earlier?.pageSize === pageSizes[0] ? pageSizes[1] : pageSizes[0];
  // Read first: a port that is created meanwhile need not be in the list.
  const missing = new Set(await knownPorts(stamps, dependencies));
  return { scan: newScan(pageSize, earlier?.pageBase), stamps, found: new Map(), missing };
}

export async function finishPass(
  { scan, stamps, found, missing }: Pass,
  ended: ScanEnd,
  dependencies: SyncDependencies,
): Promise<FinishedPass> {
  // During a long pass the service may purge a port that has ended.
  const inProgress = missing.size === 0 ? [] : await knownPorts(stamps, dependencies);
  const isComplete = showsAll(scan) && !inProgress.some((id) => missing.has(id));
  const { pageSize, pageBase, seen } = scan;
  return { stamps, found, listed: seen.size, isComplete, isEndless: ended === 'limit', pageSize, pageBase };
}

/** Later than any time: everything that has a due time is due. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/**
 * Ports in progress, of other requests, that the service showed before: a list without one of them lags or is cut
 * short.
 */
async function knownPorts(stamps: Stamps, { ports, settings }: SyncDependencies): Promise<readonly string[]> {
  // An item that cannot be read is reported where it is due.
  const items = await ports.due(endOfTime, settings.limit, () => {});
  const isShown = ({ name, missingReads }: PortItem) => missingReads === 0 && !stamps.has(tokenOfPortName(name) ?? '');
  return items.filter(isShown).map(({ portId }) => portId);
}
