// Reads every port that the service has under the name of one request.

import { allPortsOf } from '#shared/domain/requests/request-state.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { PortDetail } from '#shared/porting/contract.ts';
import { unlessNotFound } from '#shared/porting/unless-not-found.ts';
import type { SyncDependencies } from '../dependencies.ts';
import { findPorts } from './find-ports.ts';

export interface NamedPorts {
  readonly ports: readonly PortDetail[];
  /** The list shows no port at all, which may be a fault of the list. */
  readonly isListEmpty: boolean;
}

/**
 * With the ports that the ledger names, as far as the service still has them. undefined: the list could not be read to
 * its end, so there may be others.
 */
export async function findPortsByName(
  item: RequestItem,
  dependencies: SyncDependencies,
): Promise<NamedPorts | undefined> {
  const { client } = dependencies;
  const { token } = item;
  const searches = [await findPorts(new Set([token]), dependencies)];
  // A search ends with the first port that it finds, and a second one can have moved between its pages (fault 44).
  if (searches[0]?.portsOf(token).length !== 0) searches.push(await findPorts(new Set([token]), dependencies));
  if (searches.some(({ complete }) => !complete)) return undefined;
  const listed = new Set(searches.flatMap((search) => search.portsOf(token)));
  const ports: PortDetail[] = [];
  for (const id of listed) ports.push(await client.port(id));
  for (const id of allPortsOf(item).filter((known) => !listed.has(known))) {
    const port = await unlessNotFound(client.port(id));
    if (port !== undefined) ports.push(port);
  }
  return { ports, isListEmpty: searches.some(({ listed }) => listed === 0) };
}
