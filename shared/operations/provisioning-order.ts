// Under which provisioning order a SIM is put: an existing one, or a new one by name; exactly one of the two (decision 17).
import { error } from '#shared/domain/issue.ts';
import type { ProvisioningOrder } from '#shared/porting/contract.ts';
import type { Catalogue } from './catalogue.ts';
import { choose, missed } from './choice.ts';
import type { Cells } from './operation.ts';
import { freeText, type ShapeReport } from './shape-report.ts';
import type { LookupNetwork } from './tariff-choice.ts';

const maxNameLength = 255;

/** One of the two is null. */
export interface OrderChoice {
  readonly provisioningOrder: number | null;
  readonly provisioningOrderName: string | null;
}

/**
 * Judges the columns `provisioningOrder` and `provisioningOrderName`. Without a network (it was not found) an order can
 * be named but not looked up.
 */
export async function chooseOrder(
  cells: Cells,
  network: LookupNetwork | undefined,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<OrderChoice | undefined> {
  const existing = cells('provisioningOrder');
  const created = cells('provisioningOrderName');
  if (existing !== '' && created !== '') {
    const message = 'give provisioningOrder (an existing one) or provisioningOrderName (a new one), not both';
    report.add('provisioningOrder', error('PROVISIONING_ORDER_BOTH', message));
    return undefined;
  }
  if (created !== '') return newOrder(created, report);
  const typeB = network !== undefined && (await catalogue.isTypeB(network.networkNumber));
  if (existing === '') return missingOrder(typeB, report);
  if (network === undefined) return undefined;
  if (typeB) {
    const message = `${network.name} is a Type-B network, which has no provisioning orders: give provisioningOrderName`;
    report.add('provisioningOrder', error('PROVISIONING_ORDER_NOT_AVAILABLE', message));
    return undefined;
  }
  return existingOrder(existing, network, await catalogue.provisioningOrders(network.networkNumber), report);
}

/** The number of the order that bears this name by now, if there is one: then it must not be created a second time. */
export const orderNumberOf = (name: string, orders: readonly ProvisioningOrder[]): number | undefined =>
  orders.find((order) => order.name === name || order.displayName === name)?.number;

function newOrder(text: string, report: ShapeReport): OrderChoice | undefined {
  const name = freeText('provisioningOrderName', text, maxNameLength, report);
  return name === undefined ? undefined : { provisioningOrder: null, provisioningOrderName: name };
}

function missingOrder(typeB: boolean, report: ShapeReport): undefined {
  const ways = typeB
    ? 'provisioningOrderName'
    : 'provisioningOrder (an existing one) or provisioningOrderName (a new one)';
  const column = typeB ? 'provisioningOrderName' : 'provisioningOrder';
  report.add(column, error('PROVISIONING_ORDER_REQUIRED', `every SIM goes into a provisioning order: give ${ways}`));
}

function existingOrder(
  text: string,
  network: LookupNetwork,
  orders: readonly ProvisioningOrder[],
  report: ShapeReport,
): OrderChoice | undefined {
  const number = choose(text, orders)?.number ?? orderNumberOf(text, orders);
  if (number !== undefined) return { provisioningOrder: number, provisioningOrderName: null };
  const message = missed('provisioning order', text, `on ${network.name}`, orders);
  report.add('provisioningOrder', error('PROVISIONING_ORDER_UNKNOWN', message));
  return undefined;
}
