// The SIMs of an account: the state that each one's ports and submissions have given it by now, their settings, and the
// provisioning orders from which they go on hire.

import { createHash } from 'node:crypto';
import type { ProvisioningOrder, ServiceSetting } from '#shared/service/contract.ts';
import type { Account, CatalogueServiceGroup, Network } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FieldError } from '../http/problem.ts';
import { isEnded, isLiveRow, type Port, serialOf } from '../ports/port.ts';
import { currentPort } from '../ports/read-ports.ts';
import type { AccountData, SimChange, SimEvent } from '../store/store.ts';

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
  const ids = new Set([...events.values()].flat().flatMap(({ cause }) => ('portId' in cause ? cause.portId : [])));
  const ports = await Promise.all([...ids].map((id) => dependencies.store.port(id)));
  const eventsOf = (serialNumber: string) => events.get(serialNumber) ?? [];
  return simsAfter(dependencies, serials, eventsOf, portsById(dependencies, ports));
}

/** Every SIM that the account has changed. Only the owner of a SIM can change it, so no other account is read. */
export function simsOfAccount(dependencies: Dependencies, { ports, simEvents }: AccountData): Map<string, Sim> {
  const events = Map.groupBy(simEvents, ({ serialNumber }) => serialNumber);
  const eventsOf = (serialNumber: string) => events.get(serialNumber) ?? [];
  return simsAfter(dependencies, [...events.keys()].sort(), eventsOf, portsById(dependencies, ports));
}

const portsById = (dependencies: Dependencies, ports: readonly (Port | null)[]): Map<string, Port> =>
  new Map(ports.flatMap((port) => (port ? [[port.id, currentPort(dependencies, port)] as const] : [])));

function simsAfter(
  dependencies: Dependencies,
  serials: readonly string[],
  eventsOf: (serialNumber: string) => readonly SimEvent[],
  ports: ReadonlyMap<string, Port>,
): Map<string, Sim> {
  const found = new Map<string, Sim>();
  for (const serialNumber of serials) {
    const all = eventsOf(serialNumber);
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

// Provisioning orders of an account on a Type-A network: those of the catalogue, and those that requests created.

/** Derived from account, network and name, so that no counter is needed. */
export const orderNumber = (accountId: number, networkNumber: number, name: string): number =>
  100_000 +
  (createHash('sha256')
    .update(JSON.stringify([accountId, networkNumber, name]))
    .digest()
    .readUInt32BE() %
    899_900_000);

/** As the lookup shows them. */
export async function ordersOf(
  { store }: Dependencies,
  account: Account,
  network: Network,
): Promise<ProvisioningOrder[]> {
  const listed = network.provisioningOrders.filter(({ accountId }) => accountId === account.accountId);
  const created = await store.provisioningOrders(account.accountId, network.number);
  const byNumber = created.toSorted((one, other) => one.number - other.number);
  return [
    ...listed.map(({ accountId: _, ...order }) => order),
    ...byNumber.map(({ number, name }) => ({
      number,
      name,
      displayName: `${name} (${number})`,
      isPooled: false,
      isNetworkAccountDefault: false,
      hiremanCurrencyId: 1,
    })),
  ];
}

/** Keeps the orders that requests named for the first time. Type-B networks have none. */
export async function keepNewOrders(
  { store }: Dependencies,
  accountId: number,
  network: Network,
  names: Iterable<string | null | undefined>,
): Promise<void> {
  if (network.type === 'B') return;
  for (const name of new Set(names)) {
    if (!name) continue;
    const number = orderNumber(accountId, network.number, name);
    await store.addProvisioningOrder({ accountId, networkNumber: network.number, number, name });
  }
}

// The rules for setting services and bars, the same in Create Port and in Bar Service Config.

/** What is wrong with the settings in the member `services`, given the services that can be set. */
export function settingErrors(
  settings: readonly ServiceSetting[],
  groups: readonly CatalogueServiceGroup[],
): FieldError[] {
  const known = new Map(groups.flatMap(({ services }) => services.map((service) => [service.name, service] as const)));
  const seen = new Set<string>();
  return settings.flatMap(({ name, value }, index): FieldError[] => {
    const service = known.get(name);
    if (service === undefined) {
      return [
        { field: `services[${index}].name`, message: `there is no service "${name}" for this network and tariff` },
      ];
    }
    if (seen.has(name)) return [{ field: `services[${index}].name`, message: `"${name}" is set twice` }];
    seen.add(name);
    if (service.readOnly) return [{ field: `services[${index}].name`, message: `"${name}" is read-only` }];
    if (service.availableOptions.includes(value)) return [];
    const options = service.availableOptions.filter((option) => option !== null).join(', ');
    return [
      { field: `services[${index}].value`, message: `"${value}" is not among the options of "${name}": ${options}` },
    ];
  });
}
