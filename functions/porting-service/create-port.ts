// The rules of Create Port: everything that must hold before a port is kept, and the port that is then kept.
// (spec "Create Port", "Errors", "Limits"; decisions 4, 9, 14-18)
import type { CalendarDate } from '#shared/domain/calendar-date.ts';
import type { CreatePortBody, CreatePortRow, PortTypeName } from '#shared/porting/contract.ts';
import type { Account, Catalogue, Network, PortTarget } from './catalogue.ts';
import { isFormerNumber } from './magic.ts';
import { numberKey } from './number.ts';
import { checkPac } from './pac-check.ts';
import type { Port, Row } from './port.ts';
import { judgeDate } from './port-window.ts';
import type { FieldError } from './problem.ts';
import { settingErrors } from './service-settings.ts';

/** What the whole request is about, once its header fields are known to be right. */
export interface Booking {
  readonly account: Account;
  readonly target: PortTarget;
  readonly network: Network;
  readonly portTypeName: PortTypeName;
  readonly connectionDate: CalendarDate;
}

/** A row judged: its number, or null where there is none, and what is wrong with it. */
interface RowContext {
  readonly booking: Booking;
  readonly catalogue: Catalogue;
  readonly orders: ReadonlySet<number>;
  /** Combinations already judged in this request: rows repeat them, and the rules are the same for all. */
  readonly judged: Map<string, readonly FieldError[]>;
  readonly groupByName: Map<string, string>;
  readonly lineByNumber: Map<string, number>;
}

const portTypeOf = (catalogue: Catalogue, name: string): PortTypeName | undefined =>
  catalogue.data.porting.find(({ portTypeName }) => portTypeName === name)?.portTypeName;

/** The header fields of the request: port type, networks, date. */
export function judgeBooking(
  body: CreatePortBody,
  account: Account,
  catalogue: Catalogue,
  now: number,
): { booking: Booking | null; errors: FieldError[] } {
  const portTypeName = portTypeOf(catalogue, body.portType);
  if (portTypeName === undefined) {
    return { booking: null, errors: [{ field: 'portType', message: `"${body.portType}" is not a port type` }] };
  }
  const target = catalogue.target(portTypeName, body.targetNetworkId);
  const network = target && catalogue.network(target.networkNumber);
  if (target === undefined || network === undefined || !account.networks.includes(network.number)) {
    const message = `there is no target network ${body.targetNetworkId} for ${portTypeName}`;
    return { booking: null, errors: [{ field: 'targetNetworkId', message }] };
  }
  const errors: FieldError[] = [];
  if (!target.sources.includes(body.sourceNetworkId)) {
    const message = `there is no source network ${body.sourceNetworkId} for ${portTypeName} to ${network.name}`;
    errors.push({ field: 'sourceNetworkId', message });
  }
  const calendar = catalogue.calendar(account.accountId, network);
  const today = calendar.today(now);
  const judged = judgeDate(body.connectionDate, target, calendar, today);
  if (judged.problem !== null) errors.push({ field: 'connectionDate', message: judged.problem });
  const connectionDate = 'date' in judged ? judged.date : today;
  return { booking: { account, target, network, portTypeName, connectionDate }, errors };
}

const combinationKey = ({ tariffId, boltOns, services }: CreatePortRow): string =>
  JSON.stringify([
    tariffId,
    boltOns.toSorted((a, b) => a - b),
    services?.map(({ name, value }) => [name, value]).toSorted(),
  ]);

function judgeBoltOns(row: CreatePortRow, { booking, catalogue }: RowContext): FieldError[] {
  const { tariff } = catalogue.tariff(row.tariffId) ?? {};
  if (tariff === undefined) return [];
  if (booking.network.type === 'B') {
    return row.boltOns.length > 0 ? [{ field: 'boltOns', message: `${booking.network.name} has no bolt-ons` }] : [];
  }
  const errors = row.boltOns
    .filter((number) => !tariff.boltOns.includes(number))
    .map((number) => ({ field: 'boltOns', message: `tariff ${tariff.number} has no bolt-on ${number}` }));
  if (tariff.requiresDataBoltOn && !row.boltOns.some((number) => catalogue.boltOn(number)?.isDataBoltOn)) {
    errors.push({ field: 'boltOns', message: `tariff ${tariff.number} requires a data bolt-on` });
  }
  return errors;
}

function judgeCombination(row: CreatePortRow, context: RowContext): readonly FieldError[] {
  const { booking, catalogue } = context;
  const tariff = booking.network.tariffs.find(({ number }) => number === row.tariffId);
  if (tariff === undefined) {
    return [{ field: 'tariffId', message: `${booking.network.name} has no tariff ${row.tariffId}` }];
  }
  const groups = catalogue.serviceGroups(booking.network, tariff);
  return [...judgeBoltOns(row, context), ...settingErrors(row.services ?? [], groups, 'services')];
}

function judgeGroup(row: CreatePortRow, key: string, { groupByName }: RowContext): FieldError[] {
  const other = groupByName.get(row.groupName);
  groupByName.set(row.groupName, other ?? key);
  if (other === undefined || other === key) return [];
  const message = `"${row.groupName}" already stands for another combination of tariff, bolt-ons and services`;
  return [{ field: 'groupName', message }];
}

function judgeNumber(row: CreatePortRow, index: number, { booking, lineByNumber }: RowContext): FieldError[] {
  const number = numberKey(row.msisdn, booking.account.callingCode);
  if (number === null) return [{ field: 'msisdn', message: `"${row.msisdn}" is not a mobile number` }];
  const earlier = lineByNumber.get(number);
  if (earlier !== undefined) return [{ field: 'msisdn', message: `${row.msisdn} is also in rows[${earlier}]` }];
  lineByNumber.set(number, index);
  return isFormerNumber(number) ? [onStockRecords(row.msisdn, 'msisdn')] : [];
}

/** The spec's own words (Errors): the number was on the service before. */
export const onStockRecords = (msisdn: string, field: string): FieldError => ({
  field,
  message: `MSISDN ${msisdn} already exists on the stock records. Contact your account manager.`,
  conflict: true,
});

const serialShape = /^89\d{17,18}$/;

function judgeSim(row: CreatePortRow, { booking }: RowContext): FieldError[] {
  const errors: FieldError[] = [];
  if (row.esim && !booking.target.allowEsim) {
    errors.push({ field: 'esim', message: `${booking.network.name} does not allow eSIMs` });
  }
  const missing = row.serialNo === null || row.serialNo === undefined || row.serialNo === '';
  if (missing && booking.portTypeName !== 'MigrateInKeep') {
    errors.push({ field: 'serialNo', message: `is required for ${booking.portTypeName}` });
  }
  if (!missing && !serialShape.test(row.serialNo ?? '')) {
    errors.push({ field: 'serialNo', message: 'must be 19 or 20 digits that begin with 89' });
  }
  if (!row.pac && booking.portTypeName === 'Port') errors.push({ field: 'pac', message: 'is required for Port' });
  return errors;
}

function judgeOrder(row: CreatePortRow, { booking, orders }: RowContext): FieldError[] {
  const number = row.provisioningOrder ?? null;
  if (number === null) {
    if (row.provisioningOrderName) return [];
    const message = 'at least one of provisioningOrder and provisioningOrderName must be provided';
    return [{ field: 'provisioningOrder', message }];
  }
  if (booking.network.type === 'B') {
    return [{ field: 'provisioningOrder', message: `${booking.network.name} has no provisioning orders` }];
  }
  if (orders.has(number)) return [];
  return [
    { field: 'provisioningOrder', message: `there is no provisioning order ${number} on ${booking.network.name}` },
  ];
}

/** Everything that is wrong with the rows, by themselves and against each other; `field` names the row. */
export function judgeRows(
  rows: readonly CreatePortRow[],
  booking: Booking,
  catalogue: Catalogue,
  orders: ReadonlySet<number>,
): FieldError[] {
  const context: RowContext = {
    booking,
    catalogue,
    orders,
    judged: new Map(),
    groupByName: new Map(),
    lineByNumber: new Map(),
  };
  return rows.flatMap((row, index) => {
    const key = combinationKey(row);
    const ofCombination = context.judged.get(key) ?? judgeCombination(row, context);
    context.judged.set(key, ofCombination);
    const errors = [
      ...judgeNumber(row, index, context),
      ...judgeSim(row, context),
      ...judgeOrder(row, context),
      ...judgeGroup(row, key, context),
      ...ofCombination,
    ];
    return errors.map((error) => ({ ...error, field: `rows[${index}].${error.field}` }));
  });
}

type Combination = Pick<Row, 'groupName' | 'boltOns' | 'services'>;

function newRow(
  row: CreatePortRow,
  { groupName, boltOns, services }: Combination,
  booking: Booking,
  id: string,
  now: number,
): Row {
  const pac = row.pac || null;
  const number = numberKey(row.msisdn, booking.account.callingCode) ?? row.msisdn;
  const verdict = checkPac({ pac, number }, booking.portTypeName);
  return {
    id,
    msisdn: row.msisdn,
    number,
    serialNo: row.serialNo || null,
    pac,
    status: verdict.status,
    since: now,
    message: verdict.message,
    groupName,
    boltOns,
    tariffId: row.tariffId,
    esim: row.esim,
    provisioningOrder: row.provisioningOrder ?? null,
    provisioningOrderName: row.provisioningOrderName || null,
    services,
  };
}

/** Rows of a group share what makes the group, in memory too: ports are mostly that. */
function newRows(rows: readonly CreatePortRow[], booking: Booking, newId: () => string, now: number): Row[] {
  const combinations = new Map<string, Combination>();
  return rows.map((row) => {
    const key = `${row.groupName} ${combinationKey(row)}`;
    const { groupName, boltOns, services } = row;
    const combination = combinations.get(key) ?? { groupName, boltOns, services };
    combinations.set(key, combination);
    return newRow(row, combination, booking, newId(), now);
  });
}

/** The port of a request without errors. */
export const newPort = (body: CreatePortBody, booking: Booking, newId: () => string, now: number): Port => ({
  id: newId(),
  accountId: booking.account.accountId,
  version: 1,
  name: body.name,
  portTypeName: booking.portTypeName,
  targetNetworkId: body.targetNetworkId,
  sourceNetworkId: body.sourceNetworkId,
  connectionDate: booking.connectionDate,
  status: 'Created',
  since: now,
  cancelRequestedAt: null,
  lockedAt: null,
  resolvedAt: null,
  history: [{ status: 'Created', at: now }],
  rows: newRows(body.rows, booking, newId, now),
});
