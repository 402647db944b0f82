// Values for a template that hold together: a network that can be ported to, with a tariff, bolt-on, service and order of its own.
import type { Column } from '#shared/operations/operation.ts';
import type { LookupRecord, LookupTables } from './lookup-tables.ts';

/** Cells by the column of any operation that they fit. */
export type TemplateValues = Readonly<Record<string, string>>;

/** Columns that show by their presence that the rows of an operation depend on the networks that can be ported to. */
const telling = ['tariff', 'tariffNumber', 'services'];

/**
 * One set of values for each family of networks there is, Type-A first; none for an operation whose rows name nothing of
 * the catalogue. Ready for `count` rows: they begin anew when there are more rows than sets.
 */
export function templateValues(tables: LookupTables, columns: readonly Column[]): TemplateValues[] {
  if (!columns.some(({ name }) => telling.includes(name))) return [];
  const ported = tables.networks.filter(({ portType }) => portType === 'Port');
  const networks = ported.length > 0 ? ported : tables.networks;
  return ['A', 'B'].flatMap((family) => {
    const network = networks.find((one) => one.family === family && tariffOf(one, tables) !== undefined);
    return network === undefined ? [] : [valuesFor(network, tables)];
  });
}

function valuesFor(network: LookupRecord, tables: LookupTables): TemplateValues {
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

const sameNetwork = (network: LookupRecord) => (one: LookupRecord) => one.networkNumber === network.networkNumber;

const tariffOf = (network: LookupRecord, { tariffs }: LookupTables): LookupRecord | undefined =>
  tariffs.filter(sameNetwork(network)).find(({ isLegacy }) => isLegacy !== 'yes');

/** One with data, because some tariffs ask for it, and none that would ask for an IP group. */
const boltOnOf = (network: LookupRecord, tariff: string, tables: LookupTables): string =>
  tables['bolt-ons']
    .filter(sameNetwork(network))
    .filter((one) => one.tariff === tariff && one.isDataBoltOn === 'yes')
    .find(({ isLegacy, isTemporal }) => isLegacy !== 'yes' && isTemporal !== 'yes')?.boltOn ?? '';

const serviceOf = (network: LookupRecord, { services }: LookupTables): string =>
  services
    .filter(sameNetwork(network))
    .find(({ write }) => write !== '')
    ?.write?.split(' or ')[0] ?? '';

const orderOf = (network: LookupRecord, tables: LookupTables): string => {
  const orders = tables['provisioning-orders'].filter(sameNetwork(network));
  const usual = orders.find(({ isNetworkAccountDefault }) => isNetworkAccountDefault === 'yes') ?? orders[0];
  return usual?.provisioningOrder ?? '';
};
