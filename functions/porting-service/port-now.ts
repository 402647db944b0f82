// Stored ports, read as they are now: the table of lifecycle.ts played up to the clock.
import { advance } from './advance.ts';
import type { Calendar } from './calendar.ts';
import type { Account, Network } from './catalogue.ts';
import type { Port } from './port.ts';
import { Problem } from './problem.ts';
import type { ServiceParts } from './service-parts.ts';

export function networkOfPort({ catalogue }: ServiceParts, port: Port): Network {
  const target = catalogue.target(port.portTypeName, port.targetNetworkId);
  const network = target && catalogue.network(target.networkNumber);
  if (network === undefined)
    throw new Problem(500, `The catalogue no longer has target network ${port.targetNetworkId}.`);
  return network;
}

const calendarOf = (parts: ServiceParts, port: Port): Calendar =>
  parts.catalogue.calendar(port.accountId, networkOfPort(parts, port));

/** A stored port as it is now. */
export const asOfNow = (parts: ServiceParts, port: Port): Port => advance(port, parts.clock(), calendarOf(parts, port));

/** A port of the account as it is now. @throws Problem 404, also for another account's port */
export async function readPort(parts: ServiceParts, account: Account, portId: string): Promise<Port> {
  const stored = await parts.store.port(portId);
  if (stored?.accountId !== account.accountId) throw new Problem(404, `There is no port ${portId}.`);
  return asOfNow(parts, stored);
}
