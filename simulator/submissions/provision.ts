// The rules of Provision and Change Provision (spec "Submissions"; spec gaps 35 and 36).
import type { ProvisionBody } from '#shared/service/contract.ts';
import type { CatalogueBoltOn, Network, NetworkTariff } from '../catalogue/catalogue.ts';
import type { FieldError } from '../http/problem.ts';
import { isMobileNumber, numberKey } from '../ports/port.ts';
import { onStockRecords } from '../ports/validate-port.ts';
import { orderNumber, serialShape } from '../sims/sims.ts';
import type { SimChange } from '../store/store.ts';
import type { NumberRequest, SubmissionCheck, ValidationContext } from './submit.ts';

export type ProvisionKind = 'Provision' | 'ChangeProvision';

interface ProvisionContext extends ValidationContext {
  readonly kind: ProvisionKind;
  readonly body: ProvisionBody;
  readonly network: Network;
  readonly tariff: NetworkTariff;
  /** Provisioning orders of the account on the network. */
  readonly orders: ReadonlySet<number>;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

const typeAOnly = [
  'boltOns',
  'createNewProvisioningOrder',
  'newProvisioningOrderName',
  'provisioningOrderNumber',
  'publicIpGroupId',
  'staticIpGroupId',
] as const;

/** On a Type-B network the body of Provision has stock, tariff and purchase order only. */
const checkTypeB = ({ body, network }: ProvisionContext): FieldError[] =>
  typeAOnly
    .filter((field) => isGiven(body[field]))
    .map((field) => ({ field, message: `must be omitted for ${network.name}, a Type-B network` }));

function checkOrder({ kind, body, orders, network }: ProvisionContext): FieldError[] {
  const { createNewProvisioningOrder: isNew, newProvisioningOrderName: name, provisioningOrderNumber: number } = body;
  const errors: FieldError[] = [];
  if (isNew && !name) {
    errors.push({ field: 'newProvisioningOrderName', message: 'is required when createNewProvisioningOrder is true' });
  }
  if (name && isGiven(number)) {
    const message = 'cannot be combined with provisioningOrderNumber';
    errors.push({ field: 'newProvisioningOrderName', message });
  }
  if (kind === 'ChangeProvision' && !isNew && !isGiven(number)) {
    const message = 'is required when createNewProvisioningOrder is not true';
    errors.push({ field: 'provisioningOrderNumber', message });
  }
  if (number !== undefined && number !== null && !orders.has(number)) {
    const message = `there is no provisioning order ${number} on ${network.name}`;
    errors.push({ field: 'provisioningOrderNumber', message });
  }
  return errors;
}

function checkIpGroup(
  field: 'publicIpGroupId' | 'staticIpGroupId',
  boltOns: readonly CatalogueBoltOn[],
  { body, network }: ProvisionContext,
): FieldError[] {
  const id = body[field];
  const cause = boltOns.find(({ needs }) => needs === field);
  if (!isGiven(id))
    return cause ? [{ field, message: `is required with bolt-on ${cause.number} (${cause.name})` }] : [];
  const groups = field === 'publicIpGroupId' ? network.publicIpGroups : network.staticIpGroups;
  return groups.some((group) => group.id === id)
    ? []
    : [{ field, message: `there is no group ${id} on ${network.name}` }];
}

function checkBoltOns(context: ProvisionContext): FieldError[] {
  const { kind, body, tariff, catalogue } = context;
  const numbers = body.boltOns ?? [];
  const known = numbers.flatMap((number) => catalogue.boltOn(number) ?? []);
  // The spec states no restriction for Change Provision, so any bolt-on that exists is allowed.
  const isAllowed = (number: number): boolean =>
    kind === 'Provision' ? tariff.boltOns.includes(number) : catalogue.boltOn(number) !== undefined;
  const errors = numbers
    .filter((number) => !isAllowed(number))
    .map((number) => ({ field: 'boltOns', message: `tariff ${tariff.number} has no bolt-on ${number}` }));
  if (tariff.requiresDataBoltOn && !known.some(({ isDataBoltOn }) => isDataBoltOn)) {
    errors.push({ field: 'boltOns', message: `tariff ${tariff.number} requires a data bolt-on` });
  }
  return [
    ...errors,
    ...checkIpGroup('publicIpGroupId', known, context),
    ...checkIpGroup('staticIpGroupId', known, context),
  ];
}

function checkSim(
  serialNumber: string,
  { kind, sims, foreign, network, choices }: ProvisionContext,
): Omit<FieldError, 'field'> | null {
  if (!serialShape.test(serialNumber)) return { message: 'must be 19 or 20 digits that begin with 89' };
  if (foreign.has(serialNumber)) return { message: `there is no SIM ${serialNumber} in this account` };
  const sim = sims.get(serialNumber);
  if (kind === 'ChangeProvision' && sim?.status !== 'on-hire') {
    return { message: `SIM ${serialNumber} is not on hire`, conflict: true };
  }
  if (sim === undefined) {
    const message = `there is no SIM ${serialNumber} in this account`;
    return choices['unknown-serials'] === 'reject' ? { message } : null;
  }
  if (kind === 'Provision' && sim.status !== 'in-stock') {
    return { message: `SIM ${serialNumber} is ${sim.status}`, conflict: true };
  }
  return sim.networkNumber === network.number ? null : { message: `SIM ${serialNumber} is not on ${network.name}` };
}

function checkMsisdn(
  { msisdn, serialNumber }: ProvisionBody['stock'][number],
  { sims, account, choices, catalogue }: ProvisionContext,
): Omit<FieldError, 'field'> | null {
  if (!msisdn) return null;
  const number = numberKey(msisdn, account.callingCode);
  if (number === null || (choices.strict === 'on' && !isMobileNumber(number))) {
    return { message: `"${msisdn}" is not a mobile number` };
  }
  const known = sims.get(serialNumber)?.msisdn;
  // As with the SIM itself, what is wrong is its state, not the body of the call.
  if (known) return { message: `must be omitted: the SIM has MSISDN ${known}`, conflict: true };
  return catalogue.isStockNumber(number) ? onStockRecords(msisdn, 'msisdn') : null;
}

/** The numbers that the SIMs of the request get. */
export const numbersOfStock = ({ stock }: ProvisionBody, callingCode: string): NumberRequest[] =>
  stock.flatMap(({ serialNumber, msisdn }, index) =>
    msisdn ? { serialNumber, msisdn, number: numberKey(msisdn, callingCode), field: `stock[${index}].msisdn` } : [],
  );

/** A number belongs to one SIM: the spec gives a SIM one MSISDN, and only if it has none. */
function checkRepeatedNumbers({ body, account }: ProvisionContext): FieldError[] {
  const seen = new Map<string, string>();
  return numbersOfStock(body, account.callingCode).flatMap(({ number, msisdn, field }): FieldError[] => {
    if (number === null) return [];
    const earlier = seen.get(number);
    seen.set(number, earlier ?? field);
    return earlier === undefined ? [] : [{ field, message: `${msisdn} is also in ${earlier}` }];
  });
}

function checkStock(context: ProvisionContext): FieldError[] {
  const seen = new Set<string>();
  return context.body.stock.flatMap((stock, index): FieldError[] => {
    const { serialNumber } = stock;
    const field = `stock[${index}].serialNumber`;
    if (seen.has(serialNumber)) return [{ field, message: `${serialNumber} is named twice` }];
    seen.add(serialNumber);
    const wrongSim = checkSim(serialNumber, context);
    const wrongMsisdn = checkMsisdn(stock, context);
    return [
      ...(wrongSim ? [{ field, ...wrongSim }] : []),
      ...(wrongMsisdn ? [{ ...wrongMsisdn, field: `stock[${index}].msisdn` }] : []),
    ];
  });
}

function changeOf({ body, account, network, kind }: ProvisionContext, msisdn: string | null | undefined): SimChange {
  const name = body.createNewProvisioningOrder ? body.newProvisioningOrderName : null;
  const order = name ? orderNumber(account.accountId, network.number, name) : (body.provisioningOrderNumber ?? null);
  const number = msisdn ? numberKey(msisdn, account.callingCode) : null;
  return {
    ...(kind === 'Provision' && { status: 'on-hire' as const }),
    ...(number !== null && { msisdn: number }),
    tariffNumber: body.tariffNumber,
    boltOns: body.boltOns ?? [],
    provisioningOrder: order,
    publicIpGroupId: body.publicIpGroupId ?? null,
    staticIpGroupId: body.staticIpGroupId ?? null,
  };
}

/** Checks either operation. A SIM that no one has used is in stock, and may be provisioned (sims.ts). */
export function checkProvision(
  context: ValidationContext,
  kind: ProvisionKind,
  body: ProvisionBody,
  orders: ReadonlySet<number>,
): SubmissionCheck {
  const known = context.catalogue.tariff(body.tariffNumber);
  if (known === undefined || !context.account.networks.includes(known.network.number)) {
    return { errors: [{ field: 'tariffNumber', message: `there is no tariff ${body.tariffNumber}` }], effects: [] };
  }
  const full: ProvisionContext = { ...context, kind, body, orders, ...known };
  const isTypeB = known.network.type === 'B';
  const ofNetwork = isTypeB ? [] : [...checkOrder(full), ...checkBoltOns(full)];
  const errors = [
    ...checkStock(full),
    ...checkRepeatedNumbers(full),
    ...(isTypeB && kind === 'Provision' ? checkTypeB(full) : ofNetwork),
  ];
  const effects = body.stock.map(({ serialNumber, msisdn }) => ({
    serialNumber,
    networkNumber: known.network.number,
    change: changeOf(full, msisdn),
  }));
  return { errors, effects };
}
