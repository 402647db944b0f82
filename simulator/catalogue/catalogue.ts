// What can be bought, ported and configured. One data file has it all (default.json, or `--catalogue FILE`); it is
// parsed strictly and indexed for the routes.
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { portTypeNames } from '#shared/service/contract.ts';
import { type Calendar, createCalendar } from '../calendar.ts';
import defaultCatalogue from './default.json' with { type: 'json' };

const serviceSchema = z.strictObject({
  name: z.string().min(1),
  type: z.enum(['Bar', 'Service']),
  readOnly: z.boolean(),
  availableOptions: z.array(z.string().nullable()).min(1),
  /** The value of a SIM that was never configured. */
  initial: z.string(),
});

const serviceGroupSchema = z.strictObject({ groupName: z.string(), services: z.array(serviceSchema).min(1) });

const boltOnSchema = z.strictObject({
  number: z.int(),
  name: z.string(),
  isDataBoltOn: z.boolean(),
  isLegacy: z.boolean(),
  isTemporal: z.boolean(),
  /** Provision with this bolt-on requires the id of such a group. */
  needs: z.enum(['publicIpGroupId', 'staticIpGroupId']).optional(),
});

const ipGroupSchema = z.strictObject({
  id: z.int(),
  number: z.int(),
  name: z.string(),
  startIpAddress: z.ipv4(),
  endIpAddress: z.ipv4(),
  totalIpAddresses: z.int(),
  availableIpAddresses: z.int(),
});

const tariffSchema = z.strictObject({
  number: z.int(),
  name: z.string(),
  isLegacy: z.boolean().default(false),
  requiresDataBoltOn: z.boolean().default(false),
  supportsFullPooling: z.boolean().default(false),
  boltOns: z.array(z.int()).default([]),
  /** Services of the network that this tariff does not have. */
  withoutServices: z.array(z.string()).default([]),
});

const provisioningOrderSchema = z.strictObject({
  accountId: z.int(),
  number: z.int(),
  name: z.string(),
  displayName: z.string(),
  isPooled: z.boolean(),
  isNetworkAccountDefault: z.boolean(),
  hiremanCurrencyId: z.int(),
});

const bundleControlSchema = z.strictObject({
  zones: z.array(z.string()).min(1),
  periods: z.array(z.enum(['oneOff', 'daily', 'monthly'])).min(1),
  endActions: z.array(z.enum(['cutoff', 'throttle'])).min(1),
  /** Whether roamingBucketVolumes may be given. */
  zoneAllowances: z.boolean(),
});

const networkSchema = z.strictObject({
  number: z.int(),
  name: z.string(),
  type: z.enum(['A', 'B']),
  country: z.enum(['uk', 'fr']),
  /** Whether Send SMS works, and whether it accepts the binary options. */
  sms: z.enum(['none', 'text', 'binary']),
  services: z.string(),
  tariffs: z.array(tariffSchema).min(1),
  provisioningOrders: z.array(provisioningOrderSchema).default([]),
  publicIpGroups: z.array(ipGroupSchema).default([]),
  staticIpGroups: z.array(ipGroupSchema).default([]),
  bundleSizes: z.array(z.strictObject({ id: z.int(), name: z.string(), size: z.int() })).default([]),
  provisioningTemplates: z
    .array(
      z.strictObject({
        id: z.int(),
        templateName: z.string(),
        friendlyName: z.string(),
        visible: z.boolean(),
        premium: z.boolean(),
      }),
    )
    .default([]),
  bundleControl: bundleControlSchema.optional(),
  /** Flags of the legacy Bar / Unbar, each with the service that it switches, if there is one. */
  bars: z.record(z.string(), z.string().nullable()).default({}),
});

const targetSchema = z.strictObject({
  id: z.int(),
  networkNumber: z.int(),
  minPortDays: z.int().min(0),
  maxPortDays: z.int().min(0),
  allowEsim: z.boolean(),
  sources: z.array(z.int()).min(1),
});

const stockSchema = z.strictObject({
  serialNumber: z.string(),
  accountId: z.int(),
  networkNumber: z.int(),
  status: z.enum(['in-stock', 'on-hire']),
  msisdn: z.string().nullable().default(null),
  tariffNumber: z.int().nullable().default(null),
});

const catalogueSchema = z.strictObject({
  accounts: z
    .array(
      z.strictObject({
        accountId: z.int(),
        name: z.string(),
        /** IANA zone in which this account's days begin. */
        zone: z.string(),
        callingCode: z.string().regex(/^\d{1,3}$/),
        clientId: z.string(),
        networks: z.array(z.int()),
        companies: z.array(z.strictObject({ id: z.int(), name: z.string() })),
      }),
    )
    .min(1),
  sourceNetworks: z.array(z.strictObject({ id: z.int(), name: z.string() })),
  porting: z.array(
    z.strictObject({ portType: z.int(), portTypeName: z.enum(portTypeNames), targets: z.array(targetSchema) }),
  ),
  boltOns: z.array(boltOnSchema),
  serviceSets: z.record(z.string(), z.array(serviceGroupSchema)),
  networks: z.array(networkSchema).min(1),
  stock: z.array(stockSchema),
});
type CatalogueData = z.infer<typeof catalogueSchema>;
export type Account = CatalogueData['accounts'][number];
export type Network = CatalogueData['networks'][number];
export type NetworkTariff = Network['tariffs'][number];
export type CatalogueBoltOn = CatalogueData['boltOns'][number];
export type CatalogueServiceGroup = z.infer<typeof serviceGroupSchema>;
export type PortTarget = z.infer<typeof targetSchema>;
type StockSim = z.infer<typeof stockSchema>;

export interface Catalogue {
  readonly data: CatalogueData;
  account(accountId: number): Account | undefined;
  network(networkNumber: number): Network | undefined;
  tariff(tariffNumber: number): { readonly tariff: NetworkTariff; readonly network: Network } | undefined;
  boltOn(number: number): CatalogueBoltOn | undefined;
  target(portTypeName: string, targetNetworkId: number): PortTarget | undefined;
  sourceNetworkName(id: number): string;
  /** The services that a SIM of the network can have; with a tariff, only those of the tariff. */
  serviceGroups(network: Network, tariff?: NetworkTariff): readonly CatalogueServiceGroup[];
  calendar(accountId: number, network: Network): Calendar;
  stockSim(serialNumber: string): StockSim | undefined;
  /** Whether a SIM on hire in the catalogue has this number (E.164 digits). */
  isStockNumber(number: string): boolean;
}

function createServiceGroups(data: CatalogueData): Catalogue['serviceGroups'] {
  const known = new Map<number, readonly CatalogueServiceGroup[]>();
  return (network, tariff) => {
    const all = data.serviceSets[network.services] ?? [];
    if (tariff === undefined || tariff.withoutServices.length === 0) return all;
    const groups =
      known.get(tariff.number) ??
      all
        .map((group) => ({
          ...group,
          services: group.services.filter(({ name }) => !tariff.withoutServices.includes(name)),
        }))
        .filter(({ services }) => services.length > 0);
    known.set(tariff.number, groups);
    return groups;
  };
}

function createCalendars(accountOf: Catalogue['account']): Catalogue['calendar'] {
  const known = new Map<string, Calendar>();
  return (accountId, network) => {
    const zone = accountOf(accountId)?.zone ?? 'Europe/London';
    const key = `${network.country} ${zone}`;
    const calendar = known.get(key) ?? createCalendar(network.country, zone);
    known.set(key, calendar);
    return calendar;
  };
}

const byKey = <Item, Key>(items: readonly Item[], key: (item: Item) => Key): Map<Key, Item> =>
  new Map(items.map((item) => [key(item), item]));

/** @throws Error that names every path of the data that is wrong */
export function createCatalogue(input: unknown): Catalogue {
  const parsed = catalogueSchema.safeParse(input);
  if (!parsed.success) throw new Error(`The catalogue is not valid:\n${z.prettifyError(parsed.error)}`);
  const data = parsed.data;
  const accounts = byKey(data.accounts, ({ accountId }) => accountId);
  const networks = byKey(data.networks, ({ number }) => number);
  const boltOns = byKey(data.boltOns, ({ number }) => number);
  const sources = byKey(data.sourceNetworks, ({ id }) => id);
  const stock = byKey(data.stock, ({ serialNumber }) => serialNumber);
  const stockNumbers = new Set(data.stock.map(({ msisdn }) => msisdn));
  const targets = new Map(
    data.porting.flatMap((type) => type.targets.map((target) => [`${type.portTypeName} ${target.id}`, target])),
  );
  const tariffs = new Map(
    data.networks.flatMap((network) => network.tariffs.map((tariff) => [tariff.number, { tariff, network }])),
  );
  checkReferences(data, networks, boltOns, sources);
  const account: Catalogue['account'] = (accountId) => accounts.get(accountId);
  return {
    data,
    account,
    network: (networkNumber) => networks.get(networkNumber),
    tariff: (tariffNumber) => tariffs.get(tariffNumber),
    boltOn: (number) => boltOns.get(number),
    target: (portTypeName, targetNetworkId) => targets.get(`${portTypeName} ${targetNetworkId}`),
    sourceNetworkName: (id) => sources.get(id)?.name ?? `network ${id}`,
    serviceGroups: createServiceGroups(data),
    calendar: createCalendars(account),
    stockSim: (serialNumber) => stock.get(serialNumber),
    isStockNumber: (number) => stockNumbers.has(number),
  };
}

function unknownBarServices({ number, bars }: Network, groups: readonly CatalogueServiceGroup[]): string[] {
  const names = new Set(groups.flatMap(({ services }) => services.map(({ name }) => name)));
  return Object.values(bars)
    .filter((service) => service !== null && !names.has(service))
    .map((service) => `network ${number}: no service "${service}" for its bars`);
}

function checkReferences(
  data: CatalogueData,
  networks: ReadonlyMap<number, Network>,
  boltOns: ReadonlyMap<number, CatalogueBoltOn>,
  sources: ReadonlyMap<number, unknown>,
): void {
  const missing: string[] = [];
  const expect = (exists: boolean, words: string): void => {
    if (!exists) missing.push(words);
  };
  for (const { portTypeName, targets } of data.porting) {
    for (const { id, networkNumber, sources: ids } of targets) {
      expect(networks.has(networkNumber), `target ${id} of ${portTypeName}: no network ${networkNumber}`);
      for (const source of ids) expect(sources.has(source), `target ${id} of ${portTypeName}: no source ${source}`);
    }
  }
  for (const network of data.networks) {
    expect(network.services in data.serviceSets, `network ${network.number}: no service set "${network.services}"`);
    for (const tariff of network.tariffs) {
      for (const number of tariff.boltOns) expect(boltOns.has(number), `tariff ${tariff.number}: no bolt-on ${number}`);
    }
    missing.push(...unknownBarServices(network, data.serviceSets[network.services] ?? []));
  }
  if (missing.length > 0) throw new Error(`The catalogue is not valid:\n${missing.join('\n')}`);
}

/** Editors on Windows begin a file with a byte order mark. */
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));

/** Reads a catalogue from a JSON file; without a path, the one that comes with the simulator. */
export const readCatalogue = (path?: string): Catalogue =>
  createCatalogue(path === undefined ? structuredClone(defaultCatalogue) : readJson(path));
