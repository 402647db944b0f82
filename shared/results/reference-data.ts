// Values for a template that are valid together: a network with one of its tariffs, bolt-ons, services and orders.
import type { Column } from '#shared/operations/operation.ts';
import type { ReferenceRecord, ReferenceTables } from '#shared/read-models/reference-data.ts';

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
