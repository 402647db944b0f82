// Once a day: writes what the catalogue offers into `catalogue/` of the results bucket, for people to copy names from.
// A day of the local emulator can take a second: there it is once a minute.

import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import type { Catalogue, NetworkCapabilities } from '#shared/operations/catalogue.ts';
import { bookDate, bookingRules, holidaysOf } from '#shared/operations/columns/connection-date.ts';
import type { LookupNetwork } from '#shared/operations/columns/sim-row.ts';
import { writableValues } from '#shared/operations/columns/tariff-and-services.ts';
import { smsNetworks } from '#shared/operations/send-sms.ts';
import type { ReferenceTableName } from '#shared/results/reference-data.ts';
import { addDays, type CalendarDate, dateInZone, instantOf } from '#shared/row/calendar-date.ts';
import { timeNeeded } from '#shared/runtime/clock.ts';
import type { PortingNetworkType, Service } from '#shared/service/contract.ts';
import { isDecline } from '#shared/service/errors.ts';
import { referenceDataKey } from '#shared/store/object-keys.ts';
import { referenceDataPauseMs, referenceDataRetryMs } from './intervals.ts';
import type { SyncPipeline } from './run.ts';

/** A lease that is never released: it lasts from the writing to the account's midnight, in calendar time. */
const leaseNameOf = (account: string): string => `reference-data-${account}`;
const pauseName = 'reference-data-pause';

/**
 * Returns whether the data was written. Nothing is written before every table was read, so the files of one day agree.
 * @throws what the lookups or the bucket throw; then a later run tries again
 */
export async function writeReferenceData(pipeline: SyncPipeline): Promise<boolean> {
  const { deadline, clocks, settings, openCatalogue } = pipeline;
  const { zone } = settings;
  if (!deadline.hasTimeFor(timeNeeded.upkeep)) return false;
  const now = clocks.calendar();
  const today = dateInZone(now, zone);
  if (!(await takeUntil(now + referenceDataRetryMs, now, pipeline))) return false;
  if (!(await takeMinute(pipeline))) return false;
  const tables: ReferenceTable[] = [];
  for await (const table of referenceTables(openCatalogue(), today)) {
    if (!deadline.hasTimeFor(timeNeeded.upkeep)) return false;
    tables.push(table);
  }
  // The networks come last: who reads them finds all others, also where this is the first writing.
  for (const table of tables.toReversed()) await write(table, pipeline);
  await takeUntil(instantOf(addDays(today, 1), 0, zone), now, pipeline);
  return true;
}

const takeUntil = (until: number, now: number, { leases, runId, settings }: SyncPipeline): Promise<boolean> =>
  leases.take({ name: leaseNameOf(settings.account), holder: runId, now, until });

/** Never released either. It only delays the next writing when the calendar runs fast. */
function takeMinute({ clocks, leases, runId }: SyncPipeline): Promise<boolean> {
  const now = clocks.wall();
  const until = now + referenceDataPauseMs;
  return leases.take({ name: pauseName, holder: runId, now, until });
}

async function write({ name, columns, rows }: ReferenceTable, { files, resources }: SyncPipeline): Promise<void> {
  const writer = files.open(resources.resultsBucket, referenceDataKey(name), 'text/csv; charset=utf-8');
  await writer.write(csvHeader(columns, ',') + rows.map((cells) => csvRow(cells)).join(''));
  await writer.close();
}

export interface ReferenceTable {
  /** The name of its file, without `.csv`. */
  readonly name: ReferenceTableName;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * The tables one by one, so that the caller can stop between them. About seven calls for each network, and one for each
 * tariff of a network with bolt-ons; shared lookups are made once.
 * @param today the account's day, which decides which days can be booked
 * @throws the client's failures; a declined lookup of one network or tariff is an empty list
 */
export async function* referenceTables(source: Catalogue, today: CalendarDate): AsyncIterable<ReferenceTable> {
  const catalogue = withoutDeclined(source);
  const types = await catalogue.networks();
  const networks = await networksOf(types, catalogue);
  yield await networksTable(types, catalogue, today);
  yield sourcesTable(types);
  yield holidaysTable(types);
  yield await tariffsTable(networks, catalogue);
  yield await boltOnsTable(networks, catalogue);
  yield await servicesTable(networks, catalogue);
  yield await ordersTable(networks, catalogue);
  yield await ipGroupsTable(networks, catalogue);
  yield await bundleSizesTable(networks, catalogue);
  yield await templatesTable(networks, catalogue);
  yield await companiesTable(catalogue);
}

/**
 * By number: a network is listed for each of its port types (spec gap 6). Those that only send texts and have bundles
 * are in no list: the account has one if it has tariffs.
 */
async function networksOf(types: readonly PortingNetworkType[], catalogue: Lists): Promise<LookupNetwork[]> {
  const networks = new Map<number, LookupNetwork>(
    types.flatMap(({ targetNetworks }) => targetNetworks).map((network) => [network.networkNumber, network]),
  );
  for (const { number: networkNumber, name } of smsNetworks) {
    const isUnknown = !networks.has(networkNumber) && (await catalogue.tariffs(networkNumber)).length > 0;
    if (isUnknown) networks.set(networkNumber, { networkNumber, name });
  }
  return [...networks.values()].sort((one, other) => one.networkNumber - other.networkNumber);
}

/** Every network with every port type for which it is offered. */
const offers = (types: readonly PortingNetworkType[]) =>
  types.flatMap(({ portTypeName, targetNetworks }) => targetNetworks.map((network) => ({ portTypeName, network })));

async function networksTable(
  types: readonly PortingNetworkType[],
  catalogue: Lists,
  today: CalendarDate,
): Promise<ReferenceTable> {
  const rows: string[][] = [];
  for (const { portTypeName, network } of offers(types)) {
    const earliest = bookDate('auto', network, today);
    rows.push([
      portTypeName,
      network.name,
      String(network.id),
      String(network.networkNumber),
      (await catalogue.capabilities(network.networkNumber))?.family ?? '',
      yesNo(network.allowEsim),
      String(network.minPortDays),
      String(network.maxPortDays),
      'date' in earliest ? earliest.date : '',
      addDays(today, bookingRules(network).maxPortDays),
    ]);
  }
  const columns = ['portType', 'targetNetwork', 'targetNetworkId', 'networkNumber', 'family', 'esim'];
  const window = ['minPortDays', 'maxPortDays', 'earliestDate', 'latestDate'];
  return { name: 'networks', columns: [...columns, ...window], rows };
}

const sourcesTable = (types: readonly PortingNetworkType[]): ReferenceTable => ({
  name: 'source-networks',
  columns: ['portType', 'targetNetwork', 'sourceNetwork', 'sourceNetworkId'],
  rows: offers(types).flatMap(({ portTypeName, network }) =>
    network.sourceNetworks.map(({ id, name }) => [portTypeName, network.name, name, String(id)]),
  ),
});

const holidaysTable = (types: readonly PortingNetworkType[]): ReferenceTable => ({
  name: 'holidays',
  columns: ['portType', 'targetNetwork', 'date'],
  rows: offers(types).flatMap(({ portTypeName, network }) =>
    holidaysOf(network).map((day) => [portTypeName, network.name, day]),
  ),
});

async function tariffsTable(networks: readonly LookupNetwork[], catalogue: Lists): Promise<ReferenceTable> {
  const rows: string[][] = [];
  for (const { networkNumber, name } of networks) {
    for (const tariff of await catalogue.tariffs(networkNumber)) {
      const traits = [tariff.isLegacy, tariff.requiresDataBoltOn, tariff.supportsFullPooling].map(yesNo);
      rows.push([String(networkNumber), name, tariff.name, String(tariff.number), ...traits]);
    }
  }
  const traits = ['isLegacy', 'requiresDataBoltOn', 'supportsFullPooling'];
  return { name: 'tariffs', columns: [...networkColumns, 'tariff', 'tariffNumber', ...traits], rows };
}

async function boltOnsTable(networks: readonly LookupNetwork[], catalogue: Lists): Promise<ReferenceTable> {
  const rows: string[][] = [];
  for (const { networkNumber, name } of networks) {
    if (!(await catalogue.capabilities(networkNumber))?.boltOns) continue;
    for (const tariff of await catalogue.tariffs(networkNumber)) {
      for (const boltOn of await catalogue.boltOns(tariff.number)) {
        const traits = [boltOn.isDataBoltOn, boltOn.isLegacy, boltOn.isTemporal].map(yesNo);
        const ofTariff = [String(networkNumber), name, tariff.name, String(tariff.number)];
        rows.push([...ofTariff, boltOn.name, String(boltOn.number), ...traits]);
      }
    }
  }
  const own = ['boltOn', 'boltOnNumber', 'isDataBoltOn', 'isLegacy', 'isTemporal'];
  return { name: 'bolt-ons', columns: [...networkColumns, 'tariff', 'tariffNumber', ...own], rows };
}

async function servicesTable(networks: readonly LookupNetwork[], catalogue: Lists): Promise<ReferenceTable> {
  const rows: string[][] = [];
  for (const { networkNumber, name } of networks) {
    for (const { groupName, services } of await catalogue.services(networkNumber)) {
      for (const service of services) rows.push([String(networkNumber), name, groupName, ...serviceCells(service)]);
    }
  }
  const own = ['serviceGroup', 'service', 'type', 'readOnly', 'write'];
  return { name: 'services', columns: [...networkColumns, ...own], rows };
}

/** What a `services` cell may contain for it: `Roaming=on or Roaming=off`; nothing for a read-only service. */
function serviceCells(service: Service): string[] {
  const written = service.readOnly ? [] : writableValues(service).map((value) => `${service.name}=${value}`);
  return [service.name, service.type, yesNo(service.readOnly), written.join(' or ')];
}

async function ordersTable(networks: readonly LookupNetwork[], catalogue: Lists): Promise<ReferenceTable> {
  const rows: string[][] = [];
  for (const { networkNumber, name } of networks) {
    for (const order of await catalogue.provisioningOrders(networkNumber)) {
      const traits = [order.isPooled, order.isNetworkAccountDefault].map(yesNo);
      rows.push([String(networkNumber), name, order.name, String(order.number), ...traits]);
    }
  }
  const own = ['provisioningOrder', 'provisioningOrderNumber', 'isPooled', 'isNetworkAccountDefault'];
  return { name: 'provisioning-orders', columns: [...networkColumns, ...own], rows };
}

async function ipGroupsTable(networks: readonly LookupNetwork[], catalogue: Lists): Promise<ReferenceTable> {
  const rows: string[][] = [];
  for (const { networkNumber, name } of networks) {
    if (!(await catalogue.capabilities(networkNumber))?.ipGroups) continue;
    const groups = [
      ...(await catalogue.publicIpGroups(networkNumber)).map((group) => ['public', group] as const),
      ...(await catalogue.staticIpGroups(networkNumber)).map((group) => ['static', group] as const),
    ];
    for (const [kind, group] of groups) {
      const counts = [group.availableIpAddresses, group.totalIpAddresses].map(String);
      const range = [group.startIpAddress, group.endIpAddress];
      rows.push([String(networkNumber), name, kind, group.name, String(group.id), ...counts, ...range]);
    }
  }
  const own = ['kind', 'ipGroup', 'ipGroupId', 'availableAddresses', 'totalAddresses', 'firstAddress', 'lastAddress'];
  return { name: 'ip-groups', columns: [...networkColumns, ...own], rows };
}

async function bundleSizesTable(networks: readonly LookupNetwork[], catalogue: Lists): Promise<ReferenceTable> {
  const rows: string[][] = [];
  for (const { networkNumber, name } of networks) {
    for (const bundle of await catalogue.bundleSizes(networkNumber)) {
      rows.push([String(networkNumber), name, bundle.name, String(bundle.size)]);
    }
  }
  return { name: 'bundle-sizes', columns: [...networkColumns, 'bundleSize', 'bundleSizeMb'], rows };
}

async function templatesTable(networks: readonly LookupNetwork[], catalogue: Lists): Promise<ReferenceTable> {
  const rows: string[][] = [];
  for (const { networkNumber, name } of networks) {
    for (const template of await catalogue.provisioningTemplates(networkNumber)) {
      const traits = [template.visible, template.premium].map(yesNo);
      rows.push([
        String(networkNumber),
        name,
        template.friendlyName,
        template.templateName,
        String(template.id),
        ...traits,
      ]);
    }
  }
  const own = ['provisioningTemplate', 'templateName', 'provisioningTemplateId', 'isVisible', 'isPremium'];
  return { name: 'provisioning-templates', columns: [...networkColumns, ...own], rows };
}

const companiesTable = async (catalogue: Lists): Promise<ReferenceTable> => ({
  name: 'companies',
  columns: ['company', 'companyId'],
  rows: (await catalogue.companies()).map(({ id, name }) => [name, String(id)]),
});

/** The lookups of one network or tariff, and its companies. */
type Lists = Omit<Catalogue, 'capabilities'> & {
  /** undefined: a lookup that shows them was declined. */
  capabilities(networkNumber: number): Promise<NetworkCapabilities | undefined>;
};

/** A network without such a list may decline its lookup (spec gap 5): no other list waits for it. */
const withoutDeclined = (catalogue: Catalogue): Lists => ({
  ...catalogue,
  capabilities: (network) => unlessDeclined(catalogue.capabilities(network), undefined),
  tariffs: (network) => unlessDeclined(catalogue.tariffs(network), []),
  boltOns: (tariff) => unlessDeclined(catalogue.boltOns(tariff), []),
  services: (network) => unlessDeclined(catalogue.services(network), []),
  provisioningOrders: (network) => unlessDeclined(catalogue.provisioningOrders(network), []),
  publicIpGroups: (network) => unlessDeclined(catalogue.publicIpGroups(network), []),
  staticIpGroups: (network) => unlessDeclined(catalogue.staticIpGroups(network), []),
  bundleSizes: (network) => unlessDeclined(catalogue.bundleSizes(network), []),
  provisioningTemplates: (network) => unlessDeclined(catalogue.provisioningTemplates(network), []),
  companies: () => unlessDeclined(catalogue.companies(), []),
});

async function unlessDeclined<Found, None>(lookup: Promise<Found>, none: None): Promise<Found | None> {
  try {
    return await lookup;
  } catch (thrown) {
    if (isDecline(thrown)) return none;
    throw thrown;
  }
}

const networkColumns = ['networkNumber', 'network'];

const yesNo = (value: boolean | null | undefined): string => (value ? 'yes' : 'no');
