// Searches the list of ports for requests whose outcome is unknown: a port's name ends in the token of its request.
import { tokenOfPortName } from '#shared/domain/requests/identity.ts';
import { type ScanResult, scanPorts } from '#shared/porting/scan-port-list.ts';
import { timeNeeded } from '#shared/runtime/deadline.ts';
import type { SyncDependencies } from '../dependencies.ts';

export type FindPortsDependencies = Pick<SyncDependencies, 'client' | 'deadline'>;

export interface FoundPorts {
  portsOf(token: string): readonly string[];
  /** Both scans showed as many ports as the list has: what they did not show does not exist. */
  readonly complete: boolean;
  /** There was too little time for the whole list. */
  readonly isCutShort: boolean;
}

export const isSearchOver = ({ deadline }: Pick<FindPortsDependencies, 'deadline'>): boolean =>
  !deadline.hasTimeFor(timeNeeded.searchPortList);

/**
 * Two scans for all tokens together. Ports move between the pages while they are read, so one scan does not prove that
 * a port does not exist (fault 44). When the first scan shows every token, there is nothing to prove.
 */
export async function findPorts(tokens: ReadonlySet<string>, dependencies: FindPortsDependencies): Promise<FoundPorts> {
  const found = new Map<string, Set<string>>();
  const visit = (port: { readonly id: string; readonly name: string }): undefined => {
    const token = tokenOfPortName(port.name);
    if (token === undefined || !tokens.has(token)) return;
    found.set(token, (found.get(token) ?? new Set()).add(port.id));
  };
  const isOver = () => isSearchOver(dependencies);
  const first = await scanPorts(dependencies.client, visit, { isOver });
  const scans = [first];
  if (found.size < tokens.size && !wasCutShort(first)) {
    scans.push(await scanPorts(dependencies.client, visit, { isOver, pageBase: first.pageBase }));
  }
  return {
    portsOf: (token) => [...(found.get(token) ?? [])],
    complete: scans.every(({ isComplete }) => isComplete),
    isCutShort: scans.some(wasCutShort),
  };
}

const wasCutShort = ({ ended }: ScanResult): boolean => ended === 'out-of-time' || ended === 'limit';
