// The provisioning order of a port: an existing one, or a new one by name; exactly one of the two (spec gap 17).
import type { Catalogue } from '../kit/catalogue.ts';
import type { CellReader } from '../kit/cell-reader.ts';
import type { LookupNetwork } from '../kit/lookup-network.ts';
import { chooseExistingOrder } from '../kit/provisioning-order.ts';

const longestName = 255;

/** One of the two is null. */
export interface OrderChoice {
  readonly provisioningOrder: number | null;
  readonly provisioningOrderName: string | null;
}

/** Reads `provisioningOrder` and `provisioningOrderName`. */
export async function chooseOrder(
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<OrderChoice | undefined> {
  const hasExisting = cells.text('provisioningOrder') !== '';
  const name =
    cells.text('provisioningOrderName') === '' ? undefined : cells.freeText('provisioningOrderName', longestName);
  if (!hasExisting) {
    if (name !== undefined) return { provisioningOrder: null, provisioningOrderName: name };
    return cells.hasErrorAt('provisioningOrderName') ? undefined : reportMissing(network, catalogue, cells);
  }
  if (cells.text('provisioningOrderName') !== '') {
    const message = 'Enter provisioningOrder (an existing one) or provisioningOrderName (a new one), not both';
    cells.error('provisioningOrder', 'PROVISIONING_ORDER_BOTH', message);
  }
  const capabilities = await catalogue.capabilities(network.networkNumber);
  if (!capabilities.provisioningOrders) {
    const reason = `${network.name} has no provisioning orders (Type-${capabilities.family} network)`;
    const message = `${reason}. Use provisioningOrderName`;
    return cells.error('provisioningOrder', 'PROVISIONING_ORDER_NOT_AVAILABLE', message);
  }
  const number = await chooseExistingOrder('provisioningOrder', network, catalogue, cells);
  return number === undefined ? undefined : { provisioningOrder: number, provisioningOrderName: null };
}

async function reportMissing(network: LookupNetwork, catalogue: Catalogue, cells: CellReader): Promise<undefined> {
  const { provisioningOrders } = await catalogue.capabilities(network.networkNumber);
  const [column, ways] = provisioningOrders
    ? ['provisioningOrder', 'provisioningOrder (an existing one) or provisioningOrderName (a new one)']
    : ['provisioningOrderName', 'provisioningOrderName'];
  return cells.error(column, 'PROVISIONING_ORDER_REQUIRED', `Every SIM needs a provisioning order. Enter ${ways}`);
}
