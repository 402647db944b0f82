// Stored ports, read as they are now: advanced to the time of their account.
import type { Calendar } from '../calendar/calendar.ts';
import type { Account, Network } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';
import { Problem } from '../http/problem.ts';
import { advancePort } from './advance-port.ts';
import type { Port } from './port.ts';

export function networkOfPort({ catalogue }: Pick<Dependencies, 'catalogue'>, port: Port): Network {
  const target = catalogue.target(port.portTypeName, port.targetNetworkId);
  const network = target && catalogue.network(target.networkNumber);
  if (network === undefined) {
    throw new Problem(500, `The catalogue no longer has target network ${port.targetNetworkId}.`);
  }
  return network;
}

const calendarOf = (dependencies: Dependencies, port: Port): Calendar =>
  dependencies.catalogue.calendar(port.accountId, networkOfPort(dependencies, port));

/** A stored port as it is now. */
export const currentPort = (dependencies: Dependencies, port: Port): Port =>
  advancePort(port, dependencies.timeOf(port.accountId), calendarOf(dependencies, port));

/** A port of the account as it is now. @throws Problem 404, also for a port of another account */
export async function readPort(dependencies: Dependencies, account: Account, portId: string): Promise<Port> {
  const stored = await dependencies.store.port(portId);
  if (stored?.accountId !== account.accountId) throw new Problem(404, `There is no port ${portId}.`);
  return currentPort(dependencies, stored);
}
