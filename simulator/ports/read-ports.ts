// Ports as they are now, advanced to the time of their account: one, or a page of the list.

import type { PortList } from '#shared/service/contract.ts';
import type { Calendar } from '../calendar.ts';
import type { Account, Network } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';
import { Problem } from '../http/problem.ts';
import { portSummaryBody } from '../http/response-bodies.ts';
import type { ListView } from '../http/route.ts';
import { advancePort } from './advance-port.ts';
import type { Port } from './port.ts';

export function networkOfPort({ catalogue }: Dependencies, port: Port): Network {
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

// List Ports: a page of an account's ports as they are now, or as a fault shows them.

interface Page {
  /** From 0. */
  readonly number: number;
  readonly size: number;
}

interface Slice {
  readonly total: number;
  readonly ports: readonly Port[];
}

/** How many of the newest ports are younger than a time; the list is in the order of creation. */
async function countYounger({ store }: Dependencies, accountId: number, than: number): Promise<number> {
  const chunk = 50;
  for (let offset = 0; ; offset += chunk) {
    const { ports } = await store.ports(accountId, offset, chunk);
    const old = ports.findIndex(({ history }) => (history[0]?.at ?? 0) <= than);
    if (old >= 0) return offset + old;
    if (ports.length < chunk) return offset + ports.length;
  }
}

async function hiddenPorts(dependencies: Dependencies, accountId: number, view: ListView): Promise<number> {
  if (view.hiddenMs === 0) return view.hiddenPorts;
  return countYounger(dependencies, accountId, dependencies.timeOf(accountId) - view.hiddenMs);
}

async function readSlice(dependencies: Dependencies, accountId: number, page: Page, view: ListView): Promise<Slice> {
  const { store, choices } = dependencies;
  const hidden = await hiddenPorts(dependencies, accountId, view);
  const start = Math.max(0, page.number * page.size + view.shift);
  const totalOf = (total: number): number => (view.total === 'shown' ? Math.max(0, total - hidden) : total);
  if (choices['list-order'] === 'newest-first') {
    const { total, ports } = await store.ports(accountId, hidden + start, page.size);
    return { total: totalOf(total), ports };
  }
  // The store lists the newest first: the page is counted from the other end.
  const { total } = await store.ports(accountId, 0, 1);
  const end = Math.max(0, total - hidden - start);
  const size = Math.min(page.size, end);
  const { ports } = await store.ports(accountId, hidden + end - size, size);
  return { total: totalOf(total), ports: ports.toReversed() };
}

export async function listPorts(
  dependencies: Dependencies,
  { accountId }: Account,
  page: Page,
  view: ListView,
): Promise<PortList> {
  if (view.isEmpty) return { total: 0, totalPages: 0, data: [] };
  const { total, ports } = await readSlice(dependencies, accountId, page, view);
  const data = ports.map((port) => portSummaryBody(currentPort(dependencies, port), dependencies));
  return { total, totalPages: Math.ceil(total / page.size), data };
}
