// The repeating columns of Provision and Change Provision (spec, Submissions; decisions 4, 23, 35 to 37).
import { error } from '#shared/domain/issue.ts';
import type { BoltOn, Tariff } from '#shared/porting/contract.ts';
import type { Catalogue } from './catalogue.ts';
import { column, referenceColumn } from './column.ts';
import { chooseIpGroups, type IpGroupIds, ipGroupColumns } from './ip-group.ts';
import { chooseLookupNetwork, networkColumn } from './lookup-network.ts';
import type { Cells, Column, ImportContext } from './operation.ts';
import type { ProvisionHead } from './provision-call.ts';
import { chooseProvisionOrder, orderColumns, type ProvisionOrder } from './provision-order.ts';
import { msisdnColumn } from './provision-row.ts';
import { purchaseOrderColumn, readPurchaseOrders } from './purchase-order.ts';
import type { ShapeReport } from './shape-report.ts';
import { serialNumberColumn } from './sim-row.ts';
import { chooseBoltOns, chooseTariff, type LookupNetwork } from './tariff-choice.ts';
import type { Options } from './ticket.ts';

export const provisionColumns: readonly Column[] = [
  serialNumberColumn,
  msisdnColumn,
  networkColumn,
  column('tariffNumber', {
    aliases: ['tariff', 'tariff id', 'tariff name'],
    required: true,
    repeats: true,
    help: 'The tariff: its number or its exact name.',
    example: '2001',
  }),
  column('boltOns', {
    aliases: ['bolt on', 'bolt on ids', 'bolt on numbers'],
    repeats: true,
    help: 'Bolt-ons by number or exact name, separated by semicolons. Type-A networks only.',
    example: '101;102',
  }),
  ...orderColumns,
  ...ipGroupColumns,
  purchaseOrderColumn,
  referenceColumn,
];

export interface ProvisionRules {
  /** What a person calls the operation. */
  readonly verb: string;
  /** Change Provision names an order on every Type-A network; Provision may do without (spec). */
  readonly needsOrder: boolean;
}

/** Judges every repeating column, whatever is wrong with the others; only a network that is not known ends it. */
export const chooseProvision =
  (rules: ProvisionRules) =>
  async (
    cells: Cells,
    { catalogue }: ImportContext,
    report: ShapeReport,
  ): Promise<Options<ProvisionHead> | undefined> => {
    const purchaseOrderNumber = readPurchaseOrders(cells, report);
    const network = await chooseLookupNetwork(cells, catalogue, report);
    if (network === undefined) return undefined;
    const { networkNumber } = network;
    const tariff = await chooseTariff(cells, network, catalogue, report, 'tariffNumber');
    const boltOns = tariff === undefined ? [] : await chooseBoltOns(cells, tariff, network, catalogue, report);
    const typeB = await catalogue.isTypeB(networkNumber);
    if (typeB) refuseTypeAOnly(cells, network, report);
    const chosen = await boltOnsOf(tariff, boltOns, catalogue);
    const typeAOnly = typeB ? {} : await chooseTypeAOnly(cells, rules, chosen, network, catalogue, report);
    if (tariff === undefined) return undefined;
    const options = { boltOns: boltOns.length === 0 ? undefined : boltOns, ...typeAOnly, purchaseOrderNumber };
    return {
      head: { networkNumber, tariffNumber: tariff.number, ...options },
      label: `${rules.verb} on ${network.name}, ${tariff.name}`,
    };
  };

async function boltOnsOf(
  tariff: Tariff | undefined,
  numbers: readonly number[],
  catalogue: Catalogue,
): Promise<BoltOn[]> {
  if (tariff === undefined || numbers.length === 0) return [];
  const offered = await catalogue.boltOns(tariff.number);
  return offered.filter(({ number }) => numbers.includes(number));
}

const orderCells = ['provisioningOrderNumber', 'createNewProvisioningOrder', 'newProvisioningOrderName'] as const;

const saysNo = (text: string): boolean => /^(|false|no)$/i.test(text);

/** On Type-B such a field is an error and never quietly left out (decision 36); bolt-ons have been refused already. */
function refuseTypeAOnly(cells: Cells, network: LookupNetwork, report: ShapeReport): void {
  const typeB = `${network.name} is a Type-B network`;
  for (const name of orderCells.filter((candidate) => !saysNo(cells(candidate)))) {
    const message = `${typeB}, which has no provisioning orders: leave the cell empty`;
    report.add(name, error('PROVISIONING_ORDER_NOT_AVAILABLE', message));
  }
  for (const { name } of ipGroupColumns.filter((candidate) => cells(candidate.name) !== '')) {
    report.add(name, error('IP_GROUP_NOT_AVAILABLE', `${typeB}, which has no IP groups: leave the cell empty`));
  }
}

async function chooseTypeAOnly(
  cells: Cells,
  { needsOrder, verb }: ProvisionRules,
  boltOns: readonly BoltOn[],
  network: LookupNetwork,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<ProvisionOrder & IpGroupIds> {
  if (needsOrder && orderCells.every((name) => saysNo(cells(name)))) {
    const ways = 'provisioningOrderNumber (an existing one) or newProvisioningOrderName (a new one)';
    report.add('provisioningOrderNumber', error('PROVISIONING_ORDER_REQUIRED', `${verb} needs ${ways}`));
  }
  const order = await chooseProvisionOrder(cells, network, catalogue, report);
  return { ...order, ...(await chooseIpGroups(cells, boltOns, network, catalogue, report)) };
}
