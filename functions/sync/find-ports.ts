// Looks for the ports of requests whose outcome is not known: by the token at the end of a port's name.
import { tokenOfPortName } from '#shared/domain/identity.ts';
import { scanPorts } from '#shared/porting/scan.ts';
import type { SyncParts } from './parts.ts';

export interface FoundPorts {
  portsOf(token: string): readonly string[];
  /** Both scans saw as many ports as the list has: what they did not show is not there. */
  readonly complete: boolean;
}

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
  const first = await scanPorts(parts.client, visit);
  const second =
    found.size < tokens.size ? await scanPorts(parts.client, visit, { pageBase: first.pageBase }) : undefined;
  return {
    portsOf: (token) => [...(found.get(token) ?? [])],
    complete: first.isWhole && second?.isWhole !== false,
  };
}
