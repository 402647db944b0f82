// The provisioning order of Provision and Change Provision: an existing one by number, or a new one by name (spec gap
// 35).
import type { Catalogue } from '../kit/catalogue.ts';
import type { CellReader } from '../kit/cell-reader.ts';
import { repeatingColumn } from '../kit/column.ts';
import type { LookupNetwork } from '../kit/lookup-network.ts';
import { chooseExistingOrder } from '../kit/provisioning-order.ts';

const longestName = 256;

export const orderColumns = [
  repeatingColumn('provisioningOrderNumber', {
    aliases: ['provisioning order', 'provisioning order id'],
    help: 'An existing provisioning order: its number or its exact name. Type-A networks only.',
    example: '5001',
  }),
  repeatingColumn('createNewProvisioningOrder', {
    aliases: ['create provisioning order'],
    help: 'Whether to create a new provisioning order. Empty means yes if it has a name. Type-A networks only.',
    example: 'true',
  }),
  repeatingColumn('newProvisioningOrderName', {
    aliases: ['new provisioning order', 'provisioning order name'],
    help: 'The name of the new provisioning order: letters and digits, at most 256. Type-A networks only.',
    example: 'DepotNorth',
  }),
] as const;

/** At most one of the two; Provision does not need any. */
export interface ProvisionOrder {
  readonly provisioningOrderNumber?: number | undefined;
  readonly newProvisioningOrderName?: string | undefined;
}

export async function chooseProvisionOrder(
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<ProvisionOrder> {
  const number = cells.text('provisioningOrderNumber');
  const name = cells.text('newProvisioningOrderName');
  const isNew = cells.boolean('createNewProvisioningOrder') ?? name !== '';
  if (number !== '' && (isNew || name !== '')) {
    const message = 'Enter provisioningOrderNumber (an existing one) or newProvisioningOrderName (a new one), not both';
    cells.error('provisioningOrderNumber', 'PROVISIONING_ORDER_BOTH', message);
  } else if (isNew && name === '') {
    const message = 'newProvisioningOrderName must not be empty if a new provisioning order is created';
    cells.error('newProvisioningOrderName', 'CELL_REQUIRED', message);
  } else if (!isNew && name !== '') {
    const message =
      'createNewProvisioningOrder is false, so no order is created. Set it to true, or leave the name empty';
    cells.error('newProvisioningOrderName', 'CELL_NOT_ALLOWED', message);
  }
  const newProvisioningOrderName = name === '' ? undefined : readNewName(cells);
  if (number === '') return { newProvisioningOrderName };
  const column = 'provisioningOrderNumber';
  return { provisioningOrderNumber: await chooseExistingOrder(column, network, catalogue, cells) };
}

function readNewName(cells: CellReader): string | undefined {
  const name = cells.freeText('newProvisioningOrderName', longestName);
  if (name === undefined || /^[A-Za-z0-9]+$/.test(name)) return name;
  const message = `"${name}" must contain only letters and digits: no spaces, hyphens or accents`;
  return cells.error('newProvisioningOrderName', 'PROVISIONING_ORDER_NAME_SHAPE', message);
}
