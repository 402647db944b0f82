// Searches the list of ports for requests whose outcome is unknown: a port's name ends in the token of its request.
import { tokenOfPortName } from '#shared/domain/requests/identity.ts';
import type { PortItem } from '#shared/items/port.ts';
import { type PageBase, type ScanResult, scanPorts } from '#shared/porting/scan-port-list.ts';
import { timeNeeded } from '#shared/runtime/deadline.ts';
import type { SyncDependencies } from '../dependencies.ts';

export interface FoundPorts {
  portsOf(token: string): readonly string[];
  /**
   * Both scans showed as many ports as the list has, and every port that the ledger knows: what they did not show does
   * not exist.
   */
  readonly complete: boolean;
  /** Ports that the list showed, in the scan that showed fewer. */
  readonly listed: number;
  /** There was too little time for the whole list. */
  readonly isCutShort: boolean;
}

export const isSearchOver = ({ deadline }: SyncDependencies): boolean =>
  !deadline.hasTimeFor(timeNeeded.searchPortList);

/** Later than any time: everything that has a due time is due. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/**
 * The second scan has other ends of pages: a list that turns over while it is read can skip the same ports at the same
 * ends in both scans, with a length that is right.
 */
const pageSizes = [50, 46] as const;

/**
 * Two scans for all tokens together. Ports move between the pages while they are read, so one scan does not prove that
 * a port does not exist (fault 44). When the first scan shows every token, there is nothing to prove.
 */
export async function findPorts(tokens: ReadonlySet<string>, dependencies: SyncDependencies): Promise<FoundPorts> {
  const found = new Map<string, Set<string>>();
  const isOver = () => isSearchOver(dependencies);
  // Read first: a port that is created meanwhile need not be in the list.
  const known = await knownPorts(tokens, dependencies);
  const scan = async (pageSize: number, pageBase?: PageBase) => {
    const missing = new Set(known);
    const visit = (port: { readonly id: string; readonly name: string }): undefined => {
      missing.delete(port.id);
      const token = tokenOfPortName(port.name);
      if (token === undefined || !tokens.has(token)) return;
      found.set(token, (found.get(token) ?? new Set()).add(port.id));
    };
    const result = await scanPorts(dependencies.client, visit, { isOver, pageBase, pageSize });
    return { ...result, isComplete: result.isComplete && missing.size === 0 };
  };
  const first = await scan(pageSizes[0]);
  const scans = [first];
  if (found.size < tokens.size && !wasCutShort(first)) scans.push(await scan(pageSizes[1], first.pageBase));
  return {
    portsOf: (token) => [...(found.get(token) ?? [])],
    complete: scans.every(({ isComplete }) => isComplete),
    listed: Math.min(...scans.map(({ ports }) => ports)),
    isCutShort: scans.some(wasCutShort),
  };
}

/**
 * Ports in progress, of other requests, that the service showed before: a list without one of them lags or is cut
 * short.
 */
async function knownPorts(
  tokens: ReadonlySet<string>,
  { ports, settings }: SyncDependencies,
): Promise<readonly string[]> {
  // An item that cannot be read is reported where it is due.
  const items = await ports.due(endOfTime, settings.limit, () => {});
  const isShown = ({ name, missingReads }: PortItem) => missingReads === 0 && !tokens.has(tokenOfPortName(name) ?? '');
  return items.filter(isShown).map(({ portId }) => portId);
}

const wasCutShort = ({ ended }: ScanResult): boolean => ended === 'out-of-time' || ended === 'limit';
