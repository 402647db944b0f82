// The rules of Provision and Change Provision (spec "Submissions"; decisions 35 and 36).
import type { ProvisionBody } from '#shared/porting/contract.ts';
import type { CatalogueBoltOn, Network, NetworkTariff } from '../catalogue.ts';
import { numberKey } from '../number.ts';
import type { FieldError } from '../problem.ts';
import { orderNumber } from '../provisioning-orders.ts';
import type { SimChange } from '../store.ts';
import type { JudgeContext, Judgement } from './submit.ts';

export type ProvisionKind = 'Provision' | 'ChangeProvision';

interface ProvisionContext extends JudgeContext {
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

/** For Provision on a Type-B network the body carries stock, tariff and purchase order, nothing else. */
const judgeTypeB = ({ body, network }: ProvisionContext): FieldError[] =>
  typeAOnly
    .filter((field) => isGiven(body[field]))
    .map((field) => ({ field, message: `must be omitted for ${network.name}, a Type-B network` }));

function judgeOrder({ kind, body, orders, network }: ProvisionContext): FieldError[] {
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

function judgeIpGroup(
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

function judgeBoltOns(context: ProvisionContext): FieldError[] {
  const { kind, body, tariff, parts } = context;
  const numbers = body.boltOns ?? [];
  const known = numbers.flatMap((number) => parts.catalogue.boltOn(number) ?? []);
  // Change Provision states no restriction on bolt-ons, so there any that exists will do.
  const isAllowed = (number: number): boolean =>
    kind === 'Provision' ? tariff.boltOns.includes(number) : parts.catalogue.boltOn(number) !== undefined;
  const errors = numbers
    .filter((number) => !isAllowed(number))
    .map((number) => ({ field: 'boltOns', message: `tariff ${tariff.number} has no bolt-on ${number}` }));
  if (tariff.requiresDataBoltOn && !known.some(({ isDataBoltOn }) => isDataBoltOn)) {
    errors.push({ field: 'boltOns', message: `tariff ${tariff.number} requires a data bolt-on` });
  }
  return [
    ...errors,
    ...judgeIpGroup('publicIpGroupId', known, context),
    ...judgeIpGroup('staticIpGroupId', known, context),
  ];
}

const serialShape = /^89\d{17,18}$/;

function judgeSim(
  serialNumber: string,
  { kind, sims, foreign, network }: ProvisionContext,
): Omit<FieldError, 'field'> | null {
  if (!serialShape.test(serialNumber)) return { message: 'must be 19 or 20 digits that begin with 89' };
  if (foreign.has(serialNumber)) return { message: `there is no SIM ${serialNumber} in this account` };
  const sim = sims.get(serialNumber);
  if (kind === 'ChangeProvision' && sim?.status !== 'on-hire') {
    return { message: `SIM ${serialNumber} is not on hire`, conflict: true };
  }
  if (sim === undefined) return null;
  if (kind === 'Provision' && sim.status !== 'in-stock') {
    return { message: `SIM ${serialNumber} is ${sim.status}`, conflict: true };
  }
  return sim.networkNumber === network.number ? null : { message: `SIM ${serialNumber} is not on ${network.name}` };
}

function judgeMsisdn(stock: ProvisionBody['stock'][number], { sims, account }: ProvisionContext): string | null {
  if (!stock.msisdn) return null;
  if (numberKey(stock.msisdn, account.callingCode) === null) return `"${stock.msisdn}" is not a mobile number`;
  const known = sims.get(stock.serialNumber)?.msisdn;
  return known ? `must be omitted: the SIM has MSISDN ${known}` : null;
}

function judgeStock(context: ProvisionContext): FieldError[] {
  const seen = new Set<string>();
  return context.body.stock.flatMap((stock, index): FieldError[] => {
    const { serialNumber } = stock;
    const field = `stock[${index}].serialNumber`;
    if (seen.has(serialNumber)) return [{ field, message: `${serialNumber} is named twice` }];
    seen.add(serialNumber);
    const wrongSim = judgeSim(serialNumber, context);
    const wrongMsisdn = judgeMsisdn(stock, context);
    return [
      ...(wrongSim ? [{ field, ...wrongSim }] : []),
      ...(wrongMsisdn ? [{ field: `stock[${index}].msisdn`, message: wrongMsisdn }] : []),
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

/** Judges either operation. A SIM that nobody used before may be provisioned: it is in stock (stock.ts). */
export function judgeProvision(
  context: JudgeContext,
  kind: ProvisionKind,
  body: ProvisionBody,
  orders: ReadonlySet<number>,
): Judgement {
  const known = context.parts.catalogue.tariff(body.tariffNumber);
  if (known === undefined || !context.account.networks.includes(known.network.number)) {
    return { errors: [{ field: 'tariffNumber', message: `there is no tariff ${body.tariffNumber}` }], effects: [] };
  }
  const full: ProvisionContext = { ...context, kind, body, orders, ...known };
  const isTypeB = known.network.type === 'B';
  const ofNetwork = isTypeB ? [] : [...judgeOrder(full), ...judgeBoltOns(full)];
  const errors = [...judgeStock(full), ...(isTypeB && kind === 'Provision' ? judgeTypeB(full) : ofNetwork)];
  const effects = body.stock.map(({ serialNumber, msisdn }) => ({
    serialNumber,
    networkNumber: known.network.number,
    change: changeOf(full, msisdn),
  }));
  return { errors, effects };
}
