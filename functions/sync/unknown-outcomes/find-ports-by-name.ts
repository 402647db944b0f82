// Reads every port that the service has under the name of one request.

import { allPortsOf } from '#shared/domain/requests/request-state.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { PortDetail } from '#shared/porting/contract.ts';
import { unlessNotFound } from '#shared/porting/unless-not-found.ts';
import type { SyncDependencies } from '../dependencies.ts';
import { findPorts, type Proof } from './find-ports.ts';

export interface NamedPorts {
  readonly ports: readonly PortDetail[];
  /** The list shows no port at all, which may be a fault of the list. */
  readonly isListEmpty: boolean;
}

/**
 * With the ports that the ledger names, as far as the service still has them. `unproven`: the list could not be read to
 * its end, so there may be others. `too-long`: not in the time of this run.
 */
export async function findPortsByName(
  item: RequestItem,
  dependencies: SyncDependencies,
): Promise<NamedPorts | 'unproven' | 'too-long'> {
  const { token } = item;
  const found = await findPorts(new Map([[token, { stamp: '', passes: 2 }]]), dependencies);
  const proof = found.proofOf(token);
  if (proof === undefined) return 'too-long';
  return proof.isComplete ? readNamedPorts(item, found.portsOf(token), proof, dependencies) : 'unproven';
}

/** @param ids those of all ports that the list shows under the name of the request */
export async function readNamedPorts(
  item: RequestItem,
  ids: readonly string[],
  proof: Proof,
  { client }: SyncDependencies,
): Promise<NamedPorts> {
  const ports: PortDetail[] = [];
  for (const id of ids) ports.push(await client.port(id));
  for (const id of allPortsOf(item).filter((known) => !ids.includes(known))) {
    const port = await unlessNotFound(client.port(id));
    if (port !== undefined) ports.push(port);
  }
  return { ports, isListEmpty: proof.listed === 0 };
}
