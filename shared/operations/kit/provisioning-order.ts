// Provisioning orders that exist already.

import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import type { ProvisioningOrder } from '#shared/service/contract.ts';
import { CallDeferred } from '#shared/service/errors.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import { findNamed, findOption, nameKey, reportUnknown } from './choice.ts';
import type { LookupNetwork } from './lookup-network.ts';

/** The number of the order with this name, if there is one: then it must not be created again. */
const orderNumberOf = (name: string, orders: readonly ProvisioningOrder[]): number | undefined =>
  findNamed(name, orders, (order) => [order.name, order.displayName])?.number;

/** When a request looks again whether another one has created its order. */
const waitMs = 5_000;

/**
 * The number of the order with this name, if it exists by now: another request may have created it. The orders are only
 * looked up again if another request has used the name of late.
 * @throws CallDeferred while that request may still create the order
 */
export async function findOrderNumber(
  name: string,
  networkNumber: number,
  request: RequestNumber,
  { provisioningOrders, isFirstUseOf }: Catalogue,
): Promise<number | undefined> {
  const kept = orderNumberOf(name, await provisioningOrders(networkNumber));
  if (kept !== undefined || (await isFirstUseOf(nameKey(name), networkNumber, request))) return kept;
  // Read before the orders: a call that is answered in between shows its order there.
  const isComing = await isFirstUseOf.isComing(nameKey(name), networkNumber);
  const number = orderNumberOf(name, await provisioningOrders(networkNumber, 'fresh'));
  if (number !== undefined || !isComing) return number;
  const why = `another request is creating the provisioning order "${name}"`;
  throw new CallDeferred(why, waitMs, { call: 'provisioning order' });
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
