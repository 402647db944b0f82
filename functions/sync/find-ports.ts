// Looks for the ports of requests whose outcome is not known: by the token at the end of a port's name.
import { tokenOfPortName } from '#shared/domain/identity.ts';
import { type ScanResult, scanPorts } from '#shared/porting/scan.ts';
import type { SyncParts } from './parts.ts';

export interface FoundPorts {
  portsOf(token: string): readonly string[];
  /** Both scans saw as many ports as the list has: what they did not show is not there. */
  readonly complete: boolean;
  /** The list was too long for the time that was left. */
  readonly isCutShort: boolean;
}

/** Kept free while the list is read: what was found can be taken, and what follows in a run has its turn. */
const reserveMs = 30_000;

export const isSearchOver = ({ remainingMs }: SyncParts): boolean => remainingMs() < reserveMs;

/**
 * One pair of scans for all tokens together. Ports shift while we page, so only the union of two scans proves that
 * something is absent (fault 44); where the first shows every token, the second has nothing to prove.
 */
export async function findPorts(tokens: ReadonlySet<string>, parts: SyncParts): Promise<FoundPorts> {
  const found = new Map<string, Set<string>>();
  const visit = (port: { readonly id: string; readonly name: string }): undefined => {
    const token = tokenOfPortName(port.name);
    if (token === undefined || !tokens.has(token)) return;
    found.set(token, (found.get(token) ?? new Set()).add(port.id));
  };
  const isOver = () => isSearchOver(parts);
  const first = await scanPorts(parts.client, visit, { isOver });
  const scans = [first];
  if (found.size < tokens.size && !wasCutShort(first)) {
    scans.push(await scanPorts(parts.client, visit, { isOver, pageBase: first.pageBase }));
  }
  return {
    portsOf: (token) => [...(found.get(token) ?? [])],
    complete: scans.every(({ isWhole }) => isWhole),
    isCutShort: scans.some(wasCutShort),
  };
}

const wasCutShort = ({ ended }: ScanResult): boolean => ended === 'out-of-time' || ended === 'limit';
