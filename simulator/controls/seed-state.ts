// The state that a test asks for, as "a port that is Locked": what the test leaves out gets a value that fits.
import * as z from 'zod';
import { type CalendarDate, parseCalendarDate } from '#shared/row/calendar-date.ts';
import { type PortTypeName, portTypeNames, serviceSetting } from '#shared/service/contract.ts';
import type { Account, Network, PortTarget } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';
import { type FieldError, problemOf } from '../http/problem.ts';
import { placePort } from '../ports/advance-port.ts';
import { bookableDates } from '../ports/booking-window.ts';
import { checkPac } from '../ports/check-pac.ts';
import {
  createdPort,
  isLiveRow,
  numberKey,
  type Port,
  type PortStatus,
  portStatus,
  type Row,
  type RowStatus,
  rowStatus,
} from '../ports/port.ts';
import { eventsOfNewPort, serialShape } from '../sims/sims.ts';
import { type AccountData, emptyAccount, type Owner, type SimEvent } from '../store/store.ts';

const seedRow = z.strictObject({
  msisdn: z.string().min(1),
  serialNo: z.string().nullable().optional(),
  pac: z.string().nullable().optional(),
  status: rowStatus.optional().meta({ description: 'By default the status that fits the status of the port.' }),
  message: z.string().nullable().default(null),
  groupName: z.string().default('Seed'),
  esim: z.boolean().default(false),
  tariffId: z.int().optional(),
  boltOns: z.array(z.int()).default([]),
  services: z.array(serviceSetting).nullable().default(null),
  provisioningOrder: z.int().nullable().default(null),
  provisioningOrderName: z.string().nullable().default(null),
});
type SeedRow = z.infer<typeof seedRow>;

const seedPort = z.strictObject({
  id: z.guid().optional().meta({ description: 'By default a new id.' }),
  name: z.string().default('Seed'),
  status: portStatus.default('Created'),
  portType: z.enum(portTypeNames).default('Port'),
  targetNetworkId: z.int().optional(),
  sourceNetworkId: z.int().optional(),
  connectionDate: z.string().optional().meta({ description: 'By default the first day that can be booked.' }),
  rows: z.array(seedRow).min(1),
});
type SeedPort = z.infer<typeof seedPort>;

const seedSim = z.strictObject({
  serialNumber: z.string().regex(serialShape, 'expected 19 or 20 digits that begin with 89'),
  networkNumber: z.int(),
  status: z.enum(['in-stock', 'on-hire']).default('on-hire'),
  msisdn: z.string().nullable().default(null),
  tariffNumber: z.int().nullable().default(null),
  services: z.record(z.string(), z.string()).default({}),
});
type SeedSim = z.infer<typeof seedSim>;

export const seedSchema = z.strictObject({
  ports: z.array(seedPort).default([]),
  sims: z.array(seedSim).default([]),
});
type Seed = z.infer<typeof seedSchema>;

interface SeedContext {
  readonly dependencies: Dependencies;
  readonly account: Account;
  readonly now: number;
}

interface SeedPlace {
  readonly target: PortTarget;
  readonly network: Network;
  readonly connectionDate: CalendarDate;
}

const fail = (field: string, message: string): never => {
  throw problemOf([{ field, message }]);
};

/** The first target of the port type that the account has, unless the seed names one. */
function placeOf(seed: SeedPort, field: string, { dependencies, account, now }: SeedContext): SeedPlace {
  const { catalogue } = dependencies;
  const targets = catalogue.data.porting.find(({ portTypeName }) => portTypeName === seed.portType)?.targets ?? [];
  const target = targets.find(
    ({ id, networkNumber }) =>
      account.networks.includes(networkNumber) && (seed.targetNetworkId === undefined || id === seed.targetNetworkId),
  );
  const network = target && catalogue.network(target.networkNumber);
  if (target === undefined || network === undefined) {
    return fail(`${field}.targetNetworkId`, `there is no such target network for ${seed.portType}`);
  }
  const calendar = catalogue.calendar(account.accountId, network);
  const first = bookableDates(target, calendar.today(now)).find((date) => calendar.isWorkingDay(date));
  const given = seed.connectionDate === undefined ? undefined : parseCalendarDate(seed.connectionDate.slice(0, 10));
  if (given && !given.ok) return fail(`${field}.connectionDate`, 'is not a day of the calendar');
  const connectionDate = given?.ok ? given.value : first;
  if (connectionDate === undefined) return fail(`${field}.connectionDate`, 'no day can be booked');
  return { target, network, connectionDate };
}

/** A PAC with the effect that the status of the port needs. */
function defaultPac(status: PortStatus, index: number): string {
  const letters = { 'Pac Check Failed': 'INV', Error: 'ERR', SubmittedWithErrors: 'SWE' } as const;
  const chosen = index === 0 && status in letters ? letters[status as keyof typeof letters] : 'ABC';
  return `${chosen}${String(index + 1).padStart(6, '0')}`;
}

function rowOf(seed: SeedRow, index: number, port: SeedPort, network: Network, context: SeedContext): Row {
  const { account, now, dependencies } = context;
  const field = `rows[${index}]`;
  const number = numberKey(seed.msisdn, account.callingCode);
  if (number === null) return fail(`${field}.msisdn`, `"${seed.msisdn}" is not a mobile number`);
  const issuer = port.status === 'Network Rejected' && index === 0 ? '899901' : '8944';
  const serialNo = seed.serialNo === undefined ? `${issuer}${number.padStart(19 - issuer.length, '0')}` : seed.serialNo;
  const pac = seed.pac === undefined ? defaultPac(port.status, index) : seed.pac;
  const checked = checkPac({ pac, number }, port.portType as PortTypeName);
  return {
    ...seed,
    id: dependencies.random.uuid(),
    number,
    serialNo,
    pac,
    status: checked.status,
    message: seed.message ?? checked.message,
    since: now,
    tariffId: seed.tariffId ?? network.tariffs[0]?.number ?? 0,
  };
}

/** A row whose status the seed names has that one; the others have the one that fits the port. */
const withRowStatuses = (port: Port, statuses: readonly (RowStatus | undefined)[]): Port => ({
  ...port,
  rows: port.rows.map((row, index) => ({ ...row, status: statuses[index] ?? row.status })),
});

function portOf(seed: SeedPort, index: number, context: SeedContext): { port: Port; network: Network } {
  const { dependencies, account, now } = context;
  const { target, network, connectionDate } = placeOf(seed, `ports[${index}]`, context);
  const created = createdPort(
    {
      id: seed.id ?? dependencies.random.uuid(),
      accountId: account.accountId,
      name: seed.name,
      portTypeName: seed.portType,
      targetNetworkId: target.id,
      sourceNetworkId: seed.sourceNetworkId ?? target.sources[0] ?? 0,
      connectionDate,
      rows: seed.rows.map((row, at) => rowOf(row, at, seed, network, context)),
    },
    now,
  );
  const placed = placePort(created, seed.status, now);
  return {
    port: withRowStatuses(
      placed,
      seed.rows.map(({ status }) => status),
    ),
    network,
  };
}

function simEventOf(seed: SeedSim, { dependencies, account, now }: SeedContext): SimEvent {
  const { serialNumber, networkNumber, msisdn, ...change } = seed;
  const number = msisdn === null ? null : numberKey(msisdn, account.callingCode);
  return {
    serialNumber,
    accountId: account.accountId,
    networkNumber,
    at: now,
    cause: { ticketNumber: dependencies.random.uuid(), change: { ...change, msisdn: number } },
  };
}

/** Every number with its owner. @throws Problem 422 for a number with two */
function claimsOf(ports: readonly Port[], sims: readonly SimEvent[]): AccountData['claims'] {
  const owners = new Map<string, Owner>();
  const errors: FieldError[] = [];
  const claim = (number: string, owner: Owner, field: string): void => {
    if (owners.has(number)) errors.push({ field, message: `MSISDN ${number} is seeded twice` });
    owners.set(number, owner);
  };
  for (const port of ports) {
    for (const row of port.rows.filter(isLiveRow)) claim(row.number, { portId: port.id }, 'ports');
  }
  for (const { serialNumber, cause } of sims) {
    const number = 'change' in cause ? cause.change.msisdn : null;
    if (number) claim(number, { serialNumber }, 'sims');
  }
  if (errors.length > 0) throw problemOf(errors);
  return [...owners].map(([number, owner]) => ({ number, owner }));
}

/** The data of an account that has what the seed names, and nothing else. @throws Problem 422 */
export function seededAccount(seed: Seed, context: SeedContext): AccountData {
  const ports = seed.ports.map((each, index) => portOf(each, index, context));
  const sims = seed.sims.map((each) => simEventOf(each, context));
  return {
    ...emptyAccount,
    ports: ports.map(({ port }) => port),
    simEvents: [...sims, ...ports.flatMap(({ port, network }) => eventsOfNewPort(port, network))],
    claims: claimsOf(
      ports.map(({ port }) => port),
      sims,
    ),
  };
}
