// Names that exist at the service: the reference data, and values for templates.
import { unguardFormula } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import type { Column } from '#shared/operations/operation.ts';
import { passedDays } from '#shared/row/booking-window.ts';
import type { ResultFiles } from '#shared/store/account.ts';
import { referenceDataKey } from '#shared/store/object-keys.ts';
import type { PlanGroup } from './answers.ts';

// The reference data as the command line reads it: the files that sync writes once a day, as records by column name.

export type ReferenceRecord = Readonly<Record<string, string>>;
export type ReferenceTables = Readonly<Record<ReferenceTableName, readonly ReferenceRecord[]>>;

/** Every table; undefined where sync has not written them yet. */
export async function readReferenceTables(reader: ResultFiles): Promise<ReferenceTables | undefined> {
  const tables: Partial<Record<ReferenceTableName, readonly ReferenceRecord[]>> = {};
  for (const name of referenceTableNames) {
    const records = await readReferenceTable(name, reader);
    if (records === undefined && name === referenceTableNames[0]) return undefined;
    tables[name] = records ?? [];
  }
  return tables as ReferenceTables;
}

/** One table; undefined where sync has not written it yet. */
export async function readReferenceTable(
  name: ReferenceTableName,
  { files, resources }: ResultFiles,
): Promise<readonly ReferenceRecord[] | undefined> {
  const ref = { bucket: resources.resultsBucket, key: referenceDataKey(name) };
  const isWritten = (await files.head(ref)) !== undefined;
  return isWritten ? recordsOf(await files.read(ref)) : undefined;
}

/**
 * The days of a plan that can no longer be booked, the earliest first. The list has the first day that could be booked
 * when sync wrote it.
 */
export async function readPassedDays(groups: readonly PlanGroup[], reader: ResultFiles): Promise<readonly string[]> {
  const networks = await readReferenceTable('networks', reader);
  return passedDays(groups, networks ?? [], (network) => network?.earliestDate ?? '');
}

async function recordsOf(bytes: AsyncIterable<Uint8Array>): Promise<ReferenceRecord[]> {
  const opened = await readCsv(bytes);
  if (!opened.ok) return [];
  const { header, batches } = opened.value;
  const records: ReferenceRecord[] = [];
  for await (const { lines, cellsOf } of batches) {
    for (const row of lines.keys()) {
      const cells = cellsOf(row);
      records.push(Object.fromEntries(header.map((name, index) => [name, unguardFormula(cells[index] ?? '')])));
    }
  }
  return records;
}

// Values for a template that are valid together: a network with one of its tariffs, bolt-ons, services and orders.

/** Cells by column name, for the columns of every operation. */
export type TemplateValues = Readonly<Record<string, string>>;

/** An operation with one of these columns needs values of one network. */
const networkColumns = ['tariff', 'tariffNumber', 'services'];

/** One set of values for each family of networks, Type-A first; none for an operation without such columns. */
export function templateValues(tables: ReferenceTables, columns: readonly Column[]): TemplateValues[] {
  if (!columns.some(({ name }) => networkColumns.includes(name))) return [];
  const ported = tables.networks.filter(({ portType }) => portType === 'Port');
  const networks = ported.length > 0 ? ported : tables.networks;
  const families = [...new Set(networks.map(({ family }) => family))].sort();
  return families.flatMap((family) => {
    const network = networks.find((one) => one.family === family && tariffOf(one, tables) !== undefined);
    return network === undefined ? [] : [valuesFor(network, tables)];
  });
}

function valuesFor(network: ReferenceRecord, tables: ReferenceTables): TemplateValues {
  const { portType = '', targetNetwork = '' } = network;
  const source = tables['source-networks'].find(
    (one) => one.portType === portType && one.targetNetwork === targetNetwork,
  );
  const tariff = tariffOf(network, tables)?.tariff ?? '';
  const order = orderOf(network, tables);
  return {
    portType,
    targetNetwork,
    sourceNetwork: source?.sourceNetwork ?? '',
    connectionDate: 'auto',
    network: targetNetwork,
    tariff,
    tariffNumber: tariff,
    boltOns: boltOnOf(network, tariff, tables),
    services: serviceOf(network, tables),
    esim: '',
    provisioningOrder: order,
    provisioningOrderNumber: order,
    provisioningOrderName: order === '' ? 'New order' : '',
  };
}

const sameNetwork = (network: ReferenceRecord) => (one: ReferenceRecord) => one.networkNumber === network.networkNumber;

const tariffOf = (network: ReferenceRecord, { tariffs }: ReferenceTables): ReferenceRecord | undefined =>
  tariffs.filter(sameNetwork(network)).find(({ isLegacy }) => isLegacy !== 'yes');

/** A data bolt-on, because some tariffs require one, and none that requires an IP group. */
const boltOnOf = (network: ReferenceRecord, tariff: string, tables: ReferenceTables): string =>
  tables['bolt-ons']
    .filter(sameNetwork(network))
    .filter((one) => one.tariff === tariff && one.isDataBoltOn === 'yes')
    .find(({ isLegacy, isTemporal }) => isLegacy !== 'yes' && isTemporal !== 'yes')?.boltOn ?? '';

const serviceOf = (network: ReferenceRecord, { services }: ReferenceTables): string =>
  services
    .filter(sameNetwork(network))
    .find(({ write }) => write !== '')
    ?.write?.split(' or ')[0] ?? '';

const orderOf = (network: ReferenceRecord, tables: ReferenceTables): string => {
  const orders = tables['provisioning-orders'].filter(sameNetwork(network));
  const usual = orders.find(({ isNetworkAccountDefault }) => isNetworkAccountDefault === 'yes') ?? orders[0];
  return usual?.provisioningOrder ?? '';
};

// The names of the tables of reference data.
export const referenceTableNames = [
  'networks',
  'source-networks',
  'holidays',
  'tariffs',
  'bolt-ons',
  'services',
  'provisioning-orders',
  'ip-groups',
  'bundle-sizes',
  'provisioning-templates',
  'companies',
] as const;
export type ReferenceTableName = (typeof referenceTableNames)[number];
