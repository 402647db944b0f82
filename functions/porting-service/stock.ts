// The SIMs of an account: what each one's ports and submissions have made of it by now.
// A SIM that nobody has used yet is in the stock of the first account that names it, so that any serial can be rehearsed.
import type { Network } from './catalogue.ts';
import { isEnded, isLiveRow, type Port, serialOf } from './port.ts';
import { asOfNow } from './port-now.ts';
import type { ServiceParts } from './service-parts.ts';
import type { SimChange, SimEvent } from './store.ts';

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
  readonly bars: readonly string[];
  readonly bundles: readonly Readonly<Record<string, unknown>>[];
}

/** A SIM that nothing has happened to. */
export const unusedSim = (serialNumber: string, accountId: number, networkNumber: number): Sim => ({
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

/** A port in progress marks its stock; a completed one puts the SIM on hire with what its row asked for. */
function afterPort(sim: Sim, port: Port, networkNumber: number): Sim {
  const row = port.rows.find((each) => serialOf(each) === sim.serialNumber);
  if (row === undefined || !isLiveRow(row)) return sim;
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

async function portsOf(parts: ServiceParts, events: Iterable<readonly SimEvent[]>): Promise<Map<string, Port>> {
  const ids = new Set([...events].flat().flatMap(({ cause }) => ('portId' in cause ? cause.portId : [])));
  const stored = await Promise.all([...ids].map((id) => parts.store.port(id)));
  return new Map(stored.flatMap((port) => (port ? [[port.id, asOfNow(parts, port)] as const] : [])));
}

function simBefore(parts: ServiceParts, serialNumber: string, first: SimEvent | undefined): Sim | undefined {
  const listed = parts.catalogue.stockSim(serialNumber);
  const owner = listed ?? first;
  return owner && { ...unusedSim(serialNumber, owner.accountId, owner.networkNumber), ...listed };
}

/** The SIMs that are known, as they are now, by serial number. */
export async function readSims(parts: ServiceParts, serialNumbers: readonly string[]): Promise<Map<string, Sim>> {
  const events = await parts.store.simEvents(serialNumbers);
  const ports = await portsOf(parts, events.values());
  const now = parts.clock();
  const found = new Map<string, Sim>();
  for (const serialNumber of serialNumbers) {
    const all = events.get(serialNumber) ?? [];
    const before = simBefore(parts, serialNumber, all[0]);
    if (before === undefined) continue;
    // What another account does with a SIM that is not its own has no effect on it.
    const past = all.filter(({ at, accountId }) => at <= now && accountId === before.accountId);
    found.set(
      serialNumber,
      past.reduce((sim, event) => afterEvent(sim, event, ports), before),
    );
  }
  return found;
}

/** What a new port means for the SIMs it names. */
export function eventsOfNewPort({ id, accountId, since, rows }: Port, network: Network): SimEvent[] {
  const same = { accountId, networkNumber: network.number, at: since, cause: { portId: id } };
  return rows.map((row) => ({ serialNumber: serialOf(row), ...same }));
}
