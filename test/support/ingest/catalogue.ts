// A small catalogue with one example of everything that a create-port row may use, and the context to validate rows.
import { ImportUniqueness } from '#functions/ingest/validate/duplicate-index.ts';
import { createCatalogue, type LookupClient } from '#shared/operations/catalogue.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import type { ImportContext, Shape, ValidatedRow } from '#shared/operations/operation.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import type { Issue } from '#shared/row/issue.ts';
import type { IpGroup, PortingNetworkType, Service } from '#shared/service/contract.ts';
import { NotFound } from '#shared/service/errors.ts';

const sourceNetworks = [
  { id: 1, name: 'Source One' },
  { id: 2, name: 'Source Two' },
];

const networkA = {
  id: 11,
  name: 'Network A',
  minPortDays: 2,
  maxPortDays: 30,
  allowEsim: true,
  networkNumber: 101,
  sourceNetworks,
  upcomingHolidays: ['2026-07-03T00:00:00'],
};
const networkB = { ...networkA, id: 12, name: 'Network B', allowEsim: false, networkNumber: 201 };

const networks: PortingNetworkType[] = [
  { portTypeName: 'Port', portType: 1, targetNetworks: [networkA, networkB] },
  { portTypeName: 'MigrateIn', portType: 2, targetNetworks: [{ ...networkA, minPortDays: 5 }] },
  { portTypeName: 'MigrateInKeep', portType: 3, targetNetworks: [networkB] },
];

const service = (
  name: string,
  type: string,
  options: (string | null)[] = ['true', 'false'],
  readOnly = false,
): Service => ({
  name,
  type,
  readOnly,
  availableOptions: options,
});

const services = [
  service('Roaming', 'Service', ['true', 'false', null]),
  service('Premium', 'Bar'),
  service('Content', 'Service', ['true', 'false', 'strict']),
  service('Fixed', 'Service', ['true', 'false'], true),
];

const noSuchPort = (portId: string) =>
  new NotFound({ message: `no port ${portId}`, fieldErrors: [], msisdns: [] }, { call: 'GET a port' });

const ipGroup = (id: number, number: number, name: string): IpGroup => ({
  id,
  number,
  name,
  startIpAddress: '203.0.113.1',
  endIpAddress: '203.0.113.9',
  totalIpAddresses: 9,
  availableIpAddresses: 9,
});

const template = { id: 11, templateName: 'esim-eu', friendlyName: 'Europe', visible: true, premium: false };

export interface CountedLookups extends LookupClient {
  /** The number of lookups, by name and keys. */
  readonly calls: Map<string, number>;
  readonly types: PortingNetworkType[];
  readonly orders: { number: number; name: string }[];
}

export function countedLookups(): CountedLookups {
  const calls = new Map<string, number>();
  const types = structuredClone(networks);
  const orders = [
    { number: 5001, name: 'Head Office' },
    { number: 5002, name: 'Field Pool' },
  ];
  const counted = <Answer>(call: string, answer: Answer): Promise<Answer> => {
    calls.set(call, (calls.get(call) ?? 0) + 1);
    return Promise.resolve(answer);
  };
  const tariffsOfA = [
    { number: 2001, name: 'Unlimited' },
    { number: 2002, name: 'Voice', requiresDataBoltOn: true },
    { number: 2003, name: 'Classic', isLegacy: true },
  ];
  const boltOnsOfA = [
    { number: 101, name: 'Data 1 GB', isDataBoltOn: true },
    { number: 102, name: 'Minutes' },
    { number: 103, name: 'Old Data', isDataBoltOn: true, isLegacy: true },
    { number: 108, name: 'Public IP Group' },
    { number: 109, name: 'Static IP Group' },
  ];
  return {
    calls,
    types,
    orders,
    networks: () => counted('networks', types),
    tariffs: (networkNumber) =>
      counted(
        `tariffs ${networkNumber}`,
        networkNumber === 201
          ? { tariffs: [{ number: 3001, name: 'Basic B' }], hasAttributes: false }
          : { tariffs: tariffsOfA, hasAttributes: true },
      ),
    provisioningOrders: (networkNumber) =>
      counted(`orders ${networkNumber}`, networkNumber === 201 ? ('not-available' as const) : [...orders]),
    boltOns: (tariffNumber) => counted(`boltOns ${tariffNumber}`, tariffNumber >= 3000 ? [] : boltOnsOfA),
    networkServices: (networkNumber, tariffNumber) =>
      counted(`services ${networkNumber} ${tariffNumber}`, [{ groupName: 'All', services }]),
    publicIpGroups: (networkNumber) => counted(`publicIpGroups ${networkNumber}`, [ipGroup(31, 901, 'London public')]),
    staticIpGroups: (networkNumber) => counted(`staticIpGroups ${networkNumber}`, [ipGroup(41, 911, 'London static')]),
    bundleSizes: (networkNumber) =>
      counted(`bundleSizes ${networkNumber}`, [
        { id: 1, name: '100 MB', size: 100 },
        { id: 2, name: '1 GB', size: 1024 },
      ]),
    port: (portId) => counted(`port ${portId}`, undefined).then(() => Promise.reject(noSuchPort(portId))),
    companies: () => counted('companies', [{ id: 1, name: 'Acme' }]),
    simServices: () => counted('simServices', [{ groupName: 'All', services }]),
    provisioningTemplates: (networkNumber) => counted(`templates ${networkNumber}`, [template]),
  };
}

/** Monday 29 June 2026, noon in London. */
export const monday = Date.parse('2026-06-29T11:00:00Z');

export const accountSettings = {
  zone: 'Europe/London',
  callingCode: '44',
  msisdnFormat: 'national',
  maxRowsPerRequest: 100,
} as const;

export interface RowsContext extends ImportContext {
  readonly lookups: CountedLookups;
  line: number;
}

export function rowsContext(overrides: Partial<ImportContext> = {}): RowsContext {
  const lookups = countedLookups();
  const context: RowsContext = {
    lookups,
    line: 2,
    catalogue: createCatalogue(lookups),
    settings: accountSettings,
    calendar: () => monday,
    today: '2026-06-29' as CalendarDate,
    uniqueness: new ImportUniqueness(() => context.line),
    ...overrides,
  };
  return context;
}

/** The cells of a valid row; `''` is an absent cell. */
export const validCells = {
  msisdn: '07700900123',
  serialNo: '8944110068123456787',
  pac: 'ABC123456',
  portType: 'Port',
  targetNetwork: 'Network A',
  sourceNetwork: 'Source One',
  connectionDate: '2026-07-02',
  tariff: '2001',
  provisioningOrder: '5001',
} as const;

export interface CheckedCells {
  readonly issues: Issue[];
  /** `column code` of each issue. */
  readonly found: string[];
  readonly shape?: Shape | undefined;
  readonly row?: ValidatedRow | undefined;
}

/** Validates one row of a create-port file, given by the cells that differ from `validCells`. */
export async function checkCells(cells: Record<string, string> = {}, context = rowsContext()): Promise<CheckedCells> {
  const all: Record<string, string> = { ...validCells, ...cells };
  const read = (column: string) => all[column] ?? '';
  const checked = await createPort.checkShape(read, context);
  const { line } = context;
  const issues: Issue[] = checked.findings.map((finding) => ({ line, ...finding }));
  const row = checked.checkRow(read, (column, finding) => issues.push({ line, column, ...finding }));
  return { issues, found: issues.map(({ column, code }) => `${column} ${code}`), shape: checked.shape, row };
}
