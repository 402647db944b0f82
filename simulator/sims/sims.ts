// The SIMs of an account: the state that each one's ports and submissions have given it by now.
import type { Network } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';
import { isEnded, isLiveRow, type Port, serialOf } from '../ports/port.ts';
import { currentPort } from '../ports/read-port.ts';
import type { SimChange, SimEvent } from '../store/store.ts';

export const serialShape = /^89\d{17,18}$/;

export interface Sim {
  readonly serialNumber: string;
  readonly accountId: number;
  readonly networkNumber: number;
  readonly status: 'in-stock' | 'Port-In Started' | 'on-hire';
  readonly msisdn: string | null;
  readonly tariffNumber: number | null;
  readonly boltOns: readonly number[];
  readonly provisioningOrder: number | string | null;
  readonly publicIpGroupId: number | null;
  readonly staticIpGroupId: number | null;
  readonly services: Readonly<Record<string, string>>;
  /** The flags of the legacy Bar that are set. */
  readonly bars: readonly string[];
  readonly bundles: readonly Readonly<Record<string, unknown>>[];
}

const unusedSim = (serialNumber: string, accountId: number, networkNumber: number): Sim => ({
  serialNumber,
  accountId,
  networkNumber,
  status: 'in-stock',
  msisdn: null,
  tariffNumber: null,
  boltOns: [],
  provisioningOrder: null,
  publicIpGroupId: null,
  staticIpGroupId: null,
  services: {},
  bars: [],
  bundles: [],
});

/** A port in progress reserves the SIM. A completed one puts it on hire with what its row asked for. */
function afterPort(sim: Sim, port: Port, networkNumber: number): Sim {
  const row = port.rows.find((each) => serialOf(each) === sim.serialNumber && isLiveRow(each));
  if (row === undefined) return sim;
  if (!isEnded(port)) return { ...sim, status: 'Port-In Started', networkNumber };
  const set = Object.fromEntries((row.services ?? []).map(({ name, value }) => [name, value]));
  return {
    ...sim,
    networkNumber,
    status: 'on-hire',
    msisdn: row.number,
    tariffNumber: row.tariffId,
    boltOns: row.boltOns,
    provisioningOrder: row.provisioningOrder ?? row.provisioningOrderName,
    services: { ...sim.services, ...set },
  };
}

function afterChange(sim: Sim, change: SimChange, networkNumber: number): Sim {
  const { services, barred = [], unbarred = [], bundle, ...fields } = change;
  return {
    ...sim,
    ...fields,
    networkNumber,
    services: { ...sim.services, ...services },
    bars: [...new Set([...sim.bars, ...barred])].filter((bar) => !unbarred.includes(bar)),
    bundles: bundle ? [...sim.bundles, bundle] : sim.bundles,
  };
}

function afterEvent(sim: Sim, { cause, networkNumber }: SimEvent, ports: ReadonlyMap<string, Port>): Sim {
  if ('change' in cause) return afterChange(sim, cause.change, networkNumber);
  const port = ports.get(cause.portId);
  return port ? afterPort(sim, port, networkNumber) : sim;
}

async function portsOf(dependencies: Dependencies, events: Iterable<readonly SimEvent[]>): Promise<Map<string, Port>> {
  const ids = new Set([...events].flat().flatMap(({ cause }) => ('portId' in cause ? cause.portId : [])));
  const stored = await Promise.all([...ids].map((id) => dependencies.store.port(id)));
  return new Map(stored.flatMap((port) => (port ? [[port.id, currentPort(dependencies, port)] as const] : [])));
}

/** A SIM that is not in the catalogue is in the stock of the first account that named it, so that any serial works. */
function simBefore({ catalogue }: Dependencies, serialNumber: string, first: SimEvent | undefined): Sim | undefined {
  const listed = catalogue.stockSim(serialNumber);
  const owner = listed ?? first;
  return owner && { ...unusedSim(serialNumber, owner.accountId, owner.networkNumber), ...listed };
}

/** The SIMs that exist, as they are now, by serial number. */
export async function readSims(
  dependencies: Dependencies,
  serialNumbers: readonly string[],
): Promise<Map<string, Sim>> {
  const serials = serialNumbers.filter((serialNumber) => serialShape.test(serialNumber));
  const events = await dependencies.store.simEvents(serials);
  const ports = await portsOf(dependencies, events.values());
  const found = new Map<string, Sim>();
  for (const serialNumber of serials) {
    const all = events.get(serialNumber) ?? [];
    const before = simBefore(dependencies, serialNumber, all[0]);
    if (before === undefined) continue;
    const now = dependencies.timeOf(before.accountId);
    // What another account does with this SIM has no effect on it.
    const past = all.filter(({ at, accountId }) => at <= now && accountId === before.accountId);
    found.set(
      serialNumber,
      past.reduce((sim, event) => afterEvent(sim, event, ports), before),
    );
  }
  return found;
}

/** What a new port means for the SIMs that it names. */
export function eventsOfNewPort({ id, accountId, since, rows }: Port, network: Network): SimEvent[] {
  const same = { accountId, networkNumber: network.number, at: since, cause: { portId: id } };
  return rows.map((row) => ({ serialNumber: serialOf(row), ...same }));
}
