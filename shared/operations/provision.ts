// The operations provision and change-provision.
import * as z from 'zod/mini';
import { valueKinds } from '#shared/files/column-values.ts';
import type { PlannedRequest } from '#shared/request/request.ts';
import { warning } from '#shared/row/issue.ts';
import { formatMsisdn } from '#shared/row/msisdn.ts';
import type { BoltOn, ProvisionBody, SubmissionPath, Tariff } from '#shared/service/contract.ts';
import type { Catalogue, NetworkCapabilities } from './catalogue.ts';
import { type CellReader, noWords, yesNo } from './columns/cell-reader.ts';
import { checkCandidates } from './columns/named-items.ts';
import {
  checkOptions,
  checkSerialNumber,
  chooseLookupNetworks,
  type LookupNetwork,
  networkColumn,
  type Options,
  serialNumberColumn,
  ticketSubmission,
  uniqueMsisdn,
} from './columns/sim-row.ts';
import {
  boltOnsColumn,
  chooseBoltOns,
  chooseExistingOrder,
  chooseIpGroups,
  chooseTariffs,
  findOrderNumber,
  ipGroupColumns,
} from './columns/tariff-and-services.ts';
import {
  type Cells,
  type Column,
  column,
  type ImportContext,
  msisdnAliases,
  type Operation,
  type Report,
  type Revalidation,
  referenceColumn,
  repeatingColumn,
  type Submission,
  type ValidatedRow,
  type ValidationContext,
} from './operation.ts';

// The calls of Provision and Change Provision: one body with the same fields, at two addresses (spec, Submissions).

/** What all SIMs of one call share. An absent option is not sent, so the service does not reset it. */
export const provisionHead = z.object({
  networkNumber: z.int(),
  tariffNumber: z.int(),
  boltOns: z.optional(z.array(z.int())),
  provisioningOrderNumber: z.optional(z.int()),
  newProvisioningOrderName: z.optional(z.string()),
  publicIpGroupId: z.optional(z.int()),
  staticIpGroupId: z.optional(z.int()),
  purchaseOrderNumber: z.optional(z.string()),
});
type ProvisionHead = z.infer<typeof provisionHead>;

/** The part of one SIM: the number that it gets, if any. */
export const provisionRowWire = z.object({ msisdn: z.optional(z.string()) });
type ProvisionRowWire = z.infer<typeof provisionRowWire>;

/** Provision puts SIMs of the stock on hire, so a second call for the same SIMs is declined. */
const provisionSubmission = (path: SubmissionPath): Submission => {
  const conflictsWithItself = path === '/api/simSubmission/Provision';
  return ticketSubmission({ path, head: provisionHead, bodyOf: provisionBodyOf, revalidate, conflictsWithItself });
};

function provisionBodyOf({ networkNumber: _, ...options }: ProvisionHead, { rows }: PlannedRequest): ProvisionBody {
  const stock = rows.map(({ subject, wire }) => ({ serialNumber: subject, ...provisionRowWire.parse(wire) }));
  const isNew = options.newProvisioningOrderName !== undefined;
  return { stock, ...options, ...(isNew ? { createNewProvisioningOrder: true } : {}) };
}

/** Another request of the import may have created the order with this name: then its number is sent (spec gap 17). */
async function revalidate(request: PlannedRequest, { catalogue }: ValidationContext): Promise<Revalidation> {
  const { newProvisioningOrderName: name, ...head } = provisionHead.parse(request.head);
  if (name === undefined) return { send: request };
  const number = await findOrderNumber(name, head.networkNumber, request, catalogue);
  return { send: number === undefined ? request : { ...request, head: { ...head, provisioningOrderNumber: number } } };
}

// Provision puts SIMs of the stock on hire with a tariff. Change Provision changes tariff, bolt-ons and provisioning
// order of SIMs on hire, for example after a port.

const longestOrderName = 256;

export const orderColumns = [
  repeatingColumn('provisioningOrderNumber', {
    aliases: ['provisioning order', 'provisioning order id'],
    mayBeNamed: ['order', 'order number', 'order no', 'prov order', 'billing order', 'existing order', 'current order'],
    namesItems: true,
    help: 'An existing provisioning order: its number or its exact name. Type-A networks only.',
    example: '5001',
  }),
  repeatingColumn('createNewProvisioningOrder', {
    ...yesNo,
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
  const name = cells.freeText('newProvisioningOrderName', longestOrderName);
  if (name === undefined || /^[A-Za-z0-9]+$/.test(name)) return name;
  const message = `"${name}" must contain only letters and digits: no spaces, hyphens or accents`;
  return cells.error('newProvisioningOrderName', 'PROVISIONING_ORDER_NAME_SHAPE', message);
}

export const msisdnColumn = column('msisdn', {
  aliases: msisdnAliases,
  looksLike: valueKinds.msisdn,
  valueKind: 'msisdn',
  help: 'The number of the SIM, only if the SIM has none yet.',
  example: '07700 900123',
});

/** Validates `serialNumber` and `msisdn` (spec gaps 20 to 22). */
export function checkProvisionRow(cells: Cells, report: Report, context: ImportContext): ValidatedRow | undefined {
  const subject = checkSerialNumber(cells, report, context);
  const wire = checkNumber(cells('msisdn'), report, context);
  return subject === undefined || wire === undefined ? undefined : { subject, wire };
}

/** A SIM on hire has a number nearly always, and lists of SIMs have it, too: it is not sent unasked. */
function checkChangedRow(cells: Cells, report: Report, context: ImportContext): ValidatedRow | undefined {
  const row = checkProvisionRow(cells, report, context);
  if (row !== undefined && cells('msisdn') !== '') {
    const message =
      'The number is sent, which is only for a SIM without one. To keep the column as your own: --map "NAME="';
    report('msisdn', warning('MSISDN_OF_SIM_ON_HIRE', `${message}: nothing is sent until the plan is approved`));
  }
  return row;
}

function checkNumber(text: string, report: Report, context: ImportContext): ProvisionRowWire | undefined {
  if (text === '') return {};
  const { msisdnFormat, callingCode } = context.settings;
  const msisdn = uniqueMsisdn(text, report, context);
  return msisdn && { msisdn: formatMsisdn(msisdn, msisdnFormat, callingCode) };
}

const mostValues = 5;
const longestJoined = 100;
const columnName = 'purchaseOrderNumber';

const purchaseOrderColumn = repeatingColumn(columnName, {
  aliases: ['purchase order', 'purchase order numbers', 'po number', 'po'],
  help: 'Your purchase orders, separated by semicolons: at most 5, and at most 100 characters in total.',
  example: 'PO-4711;PO-4712',
});

/** Separated by `;` in a file and by `,` in the call (spec gap 37; spec, Limits). */
function readPurchaseOrders(cells: CellReader): string | undefined {
  const values = cells.list(columnName);
  if (values.length === 0) return undefined;
  const withComma = values.find((value) => value.includes(','));
  if (withComma !== undefined) {
    const message = `"${withComma}" contains a comma. Separate purchase orders with semicolons`;
    cells.error(columnName, 'PURCHASE_ORDER_SHAPE', message);
  }
  if (values.length > mostValues) {
    const message = `There are ${values.length} purchase orders. Use at most ${mostValues}`;
    cells.error(columnName, 'PURCHASE_ORDER_SHAPE', message);
  }
  return cells.freeText(columnName, longestJoined, values.join(','));
}

const provisionColumns: readonly Column[] = [
  serialNumberColumn,
  msisdnColumn,
  networkColumn,
  repeatingColumn('tariffNumber', {
    aliases: ['tariff', 'tariff id', 'tariff name'],
    required: true,
    namesItems: true,
    help: 'The tariff: its number or its exact name.',
    example: '2001',
  }),
  boltOnsColumn,
  ...orderColumns,
  ...ipGroupColumns,
  purchaseOrderColumn,
  referenceColumn,
];

interface ProvisionRules {
  /** The name of the operation for people. */
  readonly verb: string;
  /** Change Provision needs an order on a network with provisioning orders; Provision does not (spec). */
  readonly needsOrder: boolean;
}

/** Validates every repeating column, even if others are invalid. */
const chooseProvision =
  (rules: ProvisionRules) =>
  async (cells: CellReader, { catalogue }: ImportContext): Promise<Options<ProvisionHead> | undefined> => {
    const purchaseOrderNumber = readPurchaseOrders(cells);
    const networks = await chooseLookupNetworks(catalogue, cells);
    const chosen = await checkCandidates(networks, cells, async (network, on) => {
      const capabilities = await catalogue.capabilities(network.networkNumber);
      const tariff = await chooseOnTariff(network, capabilities, catalogue, on);
      rejectUnavailable(network, capabilities, on);
      const order = capabilities.provisioningOrders ? await chooseOrder(rules, network, catalogue, on) : {};
      return { network, tariff, order };
    });
    if (chosen?.tariff === undefined) return undefined;
    const { network, order } = chosen;
    const { tariff, boltOns, ipGroups } = chosen.tariff;
    const options = { boltOns: boltOns.length === 0 ? undefined : boltOns, ...order, ...ipGroups, purchaseOrderNumber };
    return {
      head: { networkNumber: network.networkNumber, tariffNumber: tariff.number, ...options },
      label: `${rules.verb} on ${network.name}, ${tariff.name}`,
    };
  };

/** Tariff, bolt-ons, and the IP groups that they need. */
async function chooseOnTariff(
  network: LookupNetwork,
  capabilities: NetworkCapabilities,
  catalogue: Catalogue,
  cells: CellReader,
) {
  const tariffs = await chooseTariffs('tariffNumber', network, catalogue, cells);
  return checkCandidates(tariffs, cells, async (tariff, on) => {
    const boltOns = await chooseBoltOns(tariff, network, catalogue, on);
    const chosen = await boltOnsOf(tariff, boltOns, catalogue);
    return {
      tariff,
      boltOns,
      ipGroups: capabilities.ipGroups ? await chooseIpGroups(chosen, network, catalogue, on) : {},
    };
  });
}

async function boltOnsOf(tariff: Tariff, numbers: readonly number[], catalogue: Catalogue): Promise<BoltOn[]> {
  if (numbers.length === 0) return [];
  const offered = await catalogue.boltOns(tariff.number);
  return offered.filter(({ number }) => numbers.includes(number));
}

/** The column that takes yes or no creates nothing with no. */
const isUnused = (name: string, cells: CellReader): boolean =>
  cells.text(name) === '' ||
  (name === 'createNewProvisioningOrder' && noWords.includes(cells.text(name).toLowerCase()));

/** A cell that the network does not support is an error, never ignored (spec gap 36). */
function rejectUnavailable(network: LookupNetwork, capabilities: NetworkCapabilities, cells: CellReader): void {
  const leaveEmpty = `(Type-${capabilities.family} network). Leave the cell empty`;
  const orderCells = capabilities.provisioningOrders ? [] : orderColumns;
  for (const { name } of orderCells.filter((column) => !isUnused(column.name, cells))) {
    const message = `${network.name} has no provisioning orders ${leaveEmpty}`;
    cells.error(name, 'PROVISIONING_ORDER_NOT_AVAILABLE', message);
  }
  const ipGroupCells = capabilities.ipGroups ? [] : ipGroupColumns;
  for (const { name } of ipGroupCells.filter((column) => cells.text(column.name) !== '')) {
    cells.error(name, 'IP_GROUP_NOT_AVAILABLE', `${network.name} has no IP groups ${leaveEmpty}`);
  }
}

async function chooseOrder(
  { needsOrder, verb }: ProvisionRules,
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<ProvisionOrder> {
  if (needsOrder && orderColumns.every(({ name }) => isUnused(name, cells))) {
    const ways = 'provisioningOrderNumber (an existing one) or newProvisioningOrderName (a new one)';
    cells.error('provisioningOrderNumber', 'PROVISIONING_ORDER_REQUIRED', `${verb} needs ${ways}`);
  }
  return chooseProvisionOrder(network, catalogue, cells);
}

export const provision: Operation = {
  name: 'provision',
  purpose: 'put SIMs of the stock on hire',
  columns: provisionColumns,
  checkShape: checkOptions(chooseProvision({ verb: 'Provision', needsOrder: false }), checkProvisionRow),
  submission: provisionSubmission('/api/simSubmission/Provision'),
};

export const changeProvision: Operation = {
  name: 'change-provision',
  purpose: 'change tariff, bolt-ons and order of SIMs on hire',
  columns: provisionColumns,
  checkShape: checkOptions(chooseProvision({ verb: 'Change Provision', needsOrder: true }), checkChangedRow),
  submission: provisionSubmission('/api/simSubmission/ChangeProvision'),
};
