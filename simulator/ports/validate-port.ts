// The rules of Create Port: everything that must hold before a port is created, and the new port.
// (spec "Create Port", "Errors", "Limits"; spec gaps 4, 9, 14-18)
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import type { CreatePortBody, CreatePortRow, PortTypeName } from '#shared/service/contract.ts';
import type { Account, Catalogue, Network, PortTarget } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FieldError } from '../http/problem.ts';
import { type Sim, serialShape, settingErrors } from '../sims/sims.ts';
import { checkDate } from './booking-window.ts';
import { checkPac, isFormerNumber } from './check-pac.ts';
import { createdPort, isMobileNumber, numberKey, type Port, type Row } from './port.ts';

/** What all rows of the request share, once the fields beside the rows are valid. */
interface Booking {
  readonly account: Account;
  readonly target: PortTarget;
  readonly network: Network;
  readonly portTypeName: PortTypeName;
  readonly connectionDate: CalendarDate;
}

/** What the rows are checked against. */
interface RowRules {
  readonly booking: Booking;
  /** The numbers of the account's provisioning orders. */
  readonly orders: ReadonlySet<number>;
  /** The SIMs of the rows that exist, by serial number. */
  readonly sims: ReadonlyMap<string, Sim>;
}

type RuleSource = Pick<Dependencies, 'catalogue' | 'choices'>;

interface RowContext extends RowRules, RuleSource {
  /** Combinations checked already: many rows share one, and its findings are the same for all. */
  readonly findingsByCombination: Map<string, readonly FieldError[]>;
  readonly groupByName: Map<string, string>;
  readonly rowByNumber: Map<string, number>;
  readonly rowBySerial: Map<string, number>;
}

const portTypeOf = (catalogue: Catalogue, name: string): PortTypeName | undefined =>
  catalogue.data.porting.find(({ portTypeName }) => portTypeName === name)?.portTypeName;

/** The fields beside the rows: port type, networks, date. */
export function validateBooking(
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
  const checked = checkDate(body.connectionDate, target, calendar, today);
  if (checked.problem !== null) errors.push({ field: 'connectionDate', message: checked.problem });
  const connectionDate = 'date' in checked ? checked.date : today;
  return { booking: { account, target, network, portTypeName, connectionDate }, errors };
}

/** `null` and `[]` are the same combination (spec gap 16), and the order of the elements does not count. */
const combinationKey = ({ tariffId, boltOns, services }: CreatePortRow): string =>
  JSON.stringify([
    tariffId,
    boltOns.toSorted((one, other) => one - other),
    (services ?? []).map(({ name, value }) => JSON.stringify([name, value])).toSorted(),
  ]);

function checkBoltOns(row: CreatePortRow, { booking, catalogue }: RowContext): FieldError[] {
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

function checkCombination(row: CreatePortRow, context: RowContext): readonly FieldError[] {
  const { booking, catalogue } = context;
  const tariff = booking.network.tariffs.find(({ number }) => number === row.tariffId);
  if (tariff === undefined) {
    return [{ field: 'tariffId', message: `${booking.network.name} has no tariff ${row.tariffId}` }];
  }
  const groups = catalogue.serviceGroups(booking.network, tariff);
  return [...checkBoltOns(row, context), ...settingErrors(row.services ?? [], groups)];
}

function checkGroup(row: CreatePortRow, key: string, { groupByName }: RowContext): FieldError[] {
  const other = groupByName.get(row.groupName);
  groupByName.set(row.groupName, other ?? key);
  if (other === undefined || other === key) return [];
  const message = `"${row.groupName}" already stands for another combination of tariff, bolt-ons and services`;
  return [{ field: 'groupName', message }];
}

function checkNumber(row: CreatePortRow, index: number, context: RowContext): FieldError[] {
  const { booking, catalogue, choices, rowByNumber } = context;
  const number = numberKey(row.msisdn, booking.account.callingCode);
  if (number === null || (choices.strict === 'on' && !isMobileNumber(number))) {
    return [{ field: 'msisdn', message: `"${row.msisdn}" is not a mobile number` }];
  }
  const earlier = rowByNumber.get(number);
  if (earlier !== undefined) return [{ field: 'msisdn', message: `${row.msisdn} is also in rows[${earlier}]` }];
  rowByNumber.set(number, index);
  const isKnown = isFormerNumber(number) || catalogue.isStockNumber(number);
  return isKnown ? [onStockRecords(row.msisdn, 'msisdn')] : [];
}

/** The spec's words (Errors): the number is or was on the service. */
export const onStockRecords = (msisdn: string, field: string): FieldError => ({
  field,
  message: `MSISDN ${msisdn} already exists on the stock records. Contact your account manager.`,
  conflict: true,
});

/** The spec does not forbid a SIM that is in use, so only strict mode does. */
function checkSerialUse(serialNo: string, index: number, context: RowContext): FieldError[] {
  const { choices, sims, rowBySerial, booking } = context;
  const sim = sims.get(serialNo);
  if (sim === undefined && choices['unknown-serials'] === 'reject' && booking.portTypeName !== 'MigrateInKeep') {
    return [{ field: 'serialNo', message: `there is no SIM ${serialNo} in this account` }];
  }
  if (choices.strict === 'off') return [];
  const earlier = rowBySerial.get(serialNo);
  rowBySerial.set(serialNo, earlier ?? index);
  if (earlier !== undefined) return [{ field: 'serialNo', message: `${serialNo} is also in rows[${earlier}]` }];
  if (sim === undefined) return [];
  if (sim.accountId !== booking.account.accountId) {
    return [{ field: 'serialNo', message: `SIM ${serialNo} is in another account`, conflict: true }];
  }
  if (sim.status === 'in-stock') return [];
  return [{ field: 'serialNo', message: `SIM ${serialNo} is ${sim.status}`, conflict: true }];
}

function checkSim(row: CreatePortRow, index: number, context: RowContext): FieldError[] {
  const { booking } = context;
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
  } else if (!missing) {
    errors.push(...checkSerialUse(row.serialNo ?? '', index, context));
  }
  if (!row.pac && booking.portTypeName === 'Port') errors.push({ field: 'pac', message: 'is required for Port' });
  return errors;
}

function checkOrder(row: CreatePortRow, { booking, orders }: RowContext): FieldError[] {
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

/** Everything that is wrong with the rows, alone and together. `field` names the row. */
export function validateRows(
  rows: readonly CreatePortRow[],
  rules: RowRules,
  { catalogue, choices }: RuleSource,
): FieldError[] {
  const context: RowContext = {
    ...rules,
    catalogue,
    choices,
    findingsByCombination: new Map(),
    groupByName: new Map(),
    rowByNumber: new Map(),
    rowBySerial: new Map(),
  };
  return rows.flatMap((row, index) => {
    const key = combinationKey(row);
    const ofCombination = context.findingsByCombination.get(key) ?? checkCombination(row, context);
    context.findingsByCombination.set(key, ofCombination);
    const errors = [
      ...checkNumber(row, index, context),
      ...checkSim(row, index, context),
      ...checkOrder(row, context),
      ...checkGroup(row, key, context),
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
  const checked = checkPac({ pac, number }, booking.portTypeName);
  return {
    id,
    msisdn: row.msisdn,
    number,
    serialNo: row.serialNo || null,
    pac,
    status: checked.status,
    since: now,
    message: checked.message,
    groupName,
    boltOns,
    tariffId: row.tariffId,
    esim: row.esim,
    provisioningOrder: row.provisioningOrder ?? null,
    provisioningOrderName: row.provisioningOrderName || null,
    services,
  };
}

/** Rows that are written alike share one combination in memory: it is most of a large port. */
function newRows(rows: readonly CreatePortRow[], booking: Booking, newId: () => string, now: number): Row[] {
  const combinations = new Map<string, Combination>();
  return rows.map((row) => {
    const { groupName, boltOns, services } = row;
    const key = JSON.stringify([groupName, boltOns, services]);
    const combination = combinations.get(key) ?? { groupName, boltOns, services };
    combinations.set(key, combination);
    return newRow(row, combination, booking, newId(), now);
  });
}

/** The port of a valid request. */
export const newPort = (body: CreatePortBody, booking: Booking, newId: () => string, now: number): Port =>
  createdPort(
    {
      id: newId(),
      accountId: booking.account.accountId,
      name: body.name,
      portTypeName: booking.portTypeName,
      targetNetworkId: body.targetNetworkId,
      sourceNetworkId: body.sourceNetworkId,
      connectionDate: booking.connectionDate,
      rows: newRows(body.rows, booking, newId, now),
    },
    now,
  );
