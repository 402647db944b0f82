// The provisioning order of a port: an existing one, or a new one by name; exactly one of the two (decision 17).
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

/** Reads `provisioningOrder` and `provisioningOrderName`. An existing order cannot be looked up without a network. */
export async function chooseOrder(
  network: LookupNetwork | undefined,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<OrderChoice | undefined> {
  const existing = cells.text('provisioningOrder');
  const created = cells.text('provisioningOrderName');
  if (existing !== '' && created !== '') {
    const message = 'Enter provisioningOrder (an existing one) or provisioningOrderName (a new one), not both';
    return cells.error('provisioningOrder', 'PROVISIONING_ORDER_BOTH', message);
  }
  if (created !== '') {
    const provisioningOrderName = cells.freeText('provisioningOrderName', longestName);
    return provisioningOrderName === undefined ? undefined : { provisioningOrder: null, provisioningOrderName };
  }
  const capabilities = network && (await catalogue.capabilities(network.networkNumber));
  const hasOrders = capabilities?.provisioningOrders ?? true;
  if (existing === '') return reportMissing(hasOrders, cells);
  if (network === undefined) return undefined;
  if (!hasOrders) {
    const reason = `${network.name} has no provisioning orders (Type-${capabilities?.family} network)`;
    const message = `${reason}. Use provisioningOrderName`;
    return cells.error('provisioningOrder', 'PROVISIONING_ORDER_NOT_AVAILABLE', message);
  }
  const number = await chooseExistingOrder('provisioningOrder', network, catalogue, cells);
  return number === undefined ? undefined : { provisioningOrder: number, provisioningOrderName: null };
}

function reportMissing(hasOrders: boolean, cells: CellReader): undefined {
  const [column, ways] = hasOrders
    ? ['provisioningOrder', 'provisioningOrder (an existing one) or provisioningOrderName (a new one)']
    : ['provisioningOrderName', 'provisioningOrderName'];
  return cells.error(column, 'PROVISIONING_ORDER_REQUIRED', `Every SIM needs a provisioning order. Enter ${ways}`);
}
