// Provisioning orders that exist already.
import type { ProvisioningOrder } from '#shared/porting/contract.ts';
import type { Catalogue } from './catalogue.ts';
import type { CellReader } from './cell-reader.ts';
import { findNamed, findOption, nameKey, reportUnknown } from './choice.ts';
import type { LookupNetwork } from './lookup-network.ts';

/** The number of the order with this name, if there is one: then it must not be created again. */
const orderNumberOf = (name: string, orders: readonly ProvisioningOrder[]): number | undefined =>
  findNamed(name, orders, (order) => [order.name, order.displayName])?.number;

/**
 * The number of the order with this name, if it exists by now: another request may have created it. The orders are only
 * looked up again if another request has used the name of late.
 */
export async function findOrderNumber(
  name: string,
  networkNumber: number,
  catalogue: Catalogue,
): Promise<number | undefined> {
  const kept = orderNumberOf(name, await catalogue.provisioningOrders(networkNumber));
  if (kept !== undefined || (await catalogue.isFirstUseOf(nameKey(name), networkNumber))) return kept;
  return orderNumberOf(name, await catalogue.provisioningOrders(networkNumber, 'fresh'));
}

/** The number of the order that the cell of `column` names. */
export async function chooseExistingOrder(
  column: 'provisioningOrder' | 'provisioningOrderNumber',
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<number | undefined> {
  const text = cells.text(column);
  const orders = await catalogue.provisioningOrders(network.networkNumber);
  const among = `on ${network.name}`;
  const kind = { column, code: 'PROVISIONING_ORDER_UNKNOWN', what: 'provisioning order', among } as const;
  const number = findOption(text, orders)?.number ?? orderNumberOf(text, orders);
  return number ?? reportUnknown(text, orders, kind, cells);
}
