// The provisioning order of Provision and Change Provision: an existing one by number, or a new one by name (decision 35).
import { error } from '#shared/domain/issue.ts';
import type { Catalogue } from './catalogue.ts';
import { choose, missed } from './choice.ts';
import { column } from './column.ts';
import type { Cells } from './operation.ts';
import { orderNumberOf } from './provisioning-order.ts';
import { freeText, type ShapeReport } from './shape-report.ts';
import type { LookupNetwork } from './tariff-choice.ts';
import { booleanCell } from './typed-cells.ts';

const longestName = 256;

export const orderColumns = [
  column('provisioningOrderNumber', {
    aliases: ['provisioning order', 'provisioning order id'],
    repeats: true,
    help: 'An existing provisioning order: its number or its exact name. Type-A networks only.',
    example: '5001',
  }),
  column('createNewProvisioningOrder', {
    aliases: ['create provisioning order'],
    repeats: true,
    help: 'Whether to make a new provisioning order; follows from its name where it is empty. Type-A networks only.',
    example: 'true',
  }),
  column('newProvisioningOrderName', {
    aliases: ['new provisioning order', 'provisioning order name'],
    repeats: true,
    help: 'The name of the new provisioning order: letters and digits, at most 256. Type-A networks only.',
    example: 'DepotNorth',
  }),
] as const;

/** At most one of the two. */
export interface ProvisionOrder {
  readonly provisioningOrderNumber?: number | undefined;
  readonly newProvisioningOrderName?: string | undefined;
}

/** Judges the three columns. Where none is given that is an answer, too: Provision may do without. */
export async function chooseProvisionOrder(
  cells: Cells,
  network: LookupNetwork,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<ProvisionOrder> {
  const number = cells('provisioningOrderNumber');
  const name = cells('newProvisioningOrderName');
  const isNew = booleanCell(cells, 'createNewProvisioningOrder', report) ?? name !== '';
  if (number !== '' && (isNew || name !== '')) {
    const message = 'give provisioningOrderNumber (an existing one) or newProvisioningOrderName (a new one), not both';
    report.add('provisioningOrderNumber', error('PROVISIONING_ORDER_BOTH', message));
  } else if (isNew && name === '') {
    const message = 'a new provisioning order needs its newProvisioningOrderName';
    report.add('newProvisioningOrderName', error('CELL_REQUIRED', message));
  } else if (!isNew && name !== '') {
    const message = 'createNewProvisioningOrder says that no order is made: set it to true, or leave the name empty';
    report.add('newProvisioningOrderName', error('CELL_NOT_ALLOWED', message));
  } else if (name !== '') {
    return { newProvisioningOrderName: newName(name, report) };
  } else if (number !== '') {
    return { provisioningOrderNumber: await existingNumber(number, network, catalogue, report) };
  }
  return {};
}

function newName(text: string, report: ShapeReport): string | undefined {
  const name = freeText('newProvisioningOrderName', text, longestName, report);
  if (name === undefined || /^[A-Za-z0-9]+$/.test(name)) return name;
  const message = `"${text}" has more than letters and digits in it: no spaces, no hyphens, no accents`;
  report.add('newProvisioningOrderName', error('PROVISIONING_ORDER_NAME_SHAPE', message));
  return undefined;
}

async function existingNumber(
  text: string,
  network: LookupNetwork,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<number | undefined> {
  const orders = await catalogue.provisioningOrders(network.networkNumber);
  const number = choose(text, orders)?.number ?? orderNumberOf(text, orders);
  if (number === undefined) {
    const message = missed('provisioning order', text, `on ${network.name}`, orders);
    report.add('provisioningOrderNumber', error('PROVISIONING_ORDER_UNKNOWN', message));
  }
  return number;
}
