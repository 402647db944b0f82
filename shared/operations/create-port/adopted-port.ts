// A port that was made elsewhere: its rows as a create-port file, and as the request that would have created it.

import type { Catalogue } from '#shared/operations/catalogue.ts';
import { holidaysOf } from '#shared/operations/columns/connection-date.ts';
import { aliasFor } from '#shared/outcome/service-comparison.ts';
import type { PlannedRow } from '#shared/request/request.ts';
import { holidaysBefore } from '#shared/row/booking-window.ts';
import { type CalendarDate, parseCalendarDate } from '#shared/row/calendar-date.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import type { PortDetail, PortingNetworkType, PortRow } from '#shared/service/contract.ts';
import { unlessDeclined } from '#shared/service/errors.ts';
import type { CreatePortRowWire } from './row.ts';
import { type CreatePortHead, createPortHead } from './submission.ts';

export interface AdoptedPort {
  /** Canonical names, without the columns that no port shows, such as the PAC. */
  readonly header: readonly string[];
  readonly records: readonly (readonly string[])[];
  /** `line` is the line of the record in a file with this header. Without PACs. */
  readonly rows: readonly PlannedRow[];
  /** undefined: no single request creates such a port: its rows differ, or its network is not offered any more. */
  readonly head: CreatePortHead | undefined;
  /** Holidays of its network right before its date, on which the service does not lock it. */
  readonly holidays: readonly CalendarDate[];
}

/** Each number once. */
export async function readAdoptedPort(
  port: PortDetail,
  catalogue: Catalogue,
  callingCode: string,
): Promise<AdoptedPort> {
  const networks = await catalogue.networks();
  const typeOf = await readServiceTypes(port, networks, catalogue);
  const byNumber = new Map(port.rows.map((row) => [msisdnKey(row.msisdn, callingCode), row]));
  const cells = [...byNumber.values()].map((row) => cellsOf(row, port, typeOf));
  return {
    header: Object.keys(cells[0] ?? {}),
    records: cells.map((each) => Object.values(each)),
    rows: [...byNumber].map(([subject, row], index) => ({ line: index + 2, subject, wire: wireOf(row) })),
    head: headOf(port, networks),
    holidays: holidaysBeforePort(port, networks),
  };
}

function holidaysBeforePort({ connectionDate, targetNetworkId }: PortDetail, networks: readonly PortingNetworkType[]) {
  const target = networks.flatMap((type) => type.targetNetworks).find(({ id }) => id === targetNetworkId);
  const date = parseCalendarDate(connectionDate.slice(0, 10));
  return target && date.ok ? holidaysBefore(date.value, holidaysOf(target)) : [];
}

/** The type of a service of a row, whose words its value has in a file; '' where the tariff does not offer it. */
type TypeOf = (row: PortRow, name: string) => string;

async function readServiceTypes(
  { targetNetworkId, rows }: PortDetail,
  networks: readonly PortingNetworkType[],
  catalogue: Catalogue,
): Promise<TypeOf> {
  const networkNumber = networkNumberOf(targetNetworkId, networks);
  const types = new Map<string, string>();
  const tariffs = new Set(rows.flatMap(({ services, tariffId }) => (services?.length ? [tariffId] : [])));
  for (const tariff of networkNumber === undefined ? [] : tariffs) {
    const groups = await unlessDeclined(catalogue.services(networkNumber ?? 0, tariff ?? undefined));
    for (const { name, type } of (groups ?? []).flatMap(({ services }) => services))
      types.set(`${tariff} ${name}`, type);
  }
  return ({ tariffId }, name) => types.get(`${tariffId} ${name}`) ?? '';
}

const networkNumberOf = (id: number, networks: readonly PortingNetworkType[]): number | undefined =>
  networks.flatMap(({ targetNetworks }) => targetNetworks).find((network) => network.id === id)?.networkNumber;

/** In the notation that the columns take. */
const cellsOf = (row: PortRow, port: PortDetail, typeOf: TypeOf) => ({
  msisdn: row.msisdn,
  serialNo: row.serialNo ?? '',
  portType: port.portTypeName,
  targetNetwork: port.targetNetworkName,
  sourceNetwork: port.sourceNetworkName,
  connectionDate: port.connectionDate.slice(0, 10),
  tariff: row.tariffId?.toString() ?? row.tariffName ?? '',
  boltOns: row.boltOns?.join(';') ?? '',
  services: row.services?.map(({ name, value }) => `${name}=${aliasFor(typeOf(row, name), value)}`).join(';') ?? '',
  esim: String(row.esim ?? false),
  provisioningOrder: row.provisioningOrder?.toString() ?? '',
  provisioningOrderName: orderNameOf(row) ?? '',
  groupName: row.groupName ?? '',
});

const wireOf = ({ msisdn, serialNo = null, esim }: PortRow): CreatePortRowWire => ({
  msisdn,
  serialNo,
  pac: null,
  esim: esim ?? false,
});

/** An order that exists by now is named by its number only. */
const orderNameOf = ({ provisioningOrder, provisioningOrderName }: PortRow): string | null =>
  typeof provisioningOrder === 'number' ? null : (provisioningOrderName ?? null);

function headOf(port: PortDetail, networks: readonly PortingNetworkType[]): CreatePortHead | undefined {
  const [first, ...others] = port.rows.map((row) => ({
    groupName: row.groupName ?? '',
    tariffId: row.tariffId,
    boltOns: row.boltOns ?? [],
    services: row.services?.length ? row.services : null,
    provisioningOrder: row.provisioningOrder ?? null,
    provisioningOrderName: orderNameOf(row),
  }));
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) return undefined;
  return createPortHead.safeParse({
    portType: port.portTypeName,
    targetNetworkId: port.targetNetworkId,
    networkNumber: networkNumberOf(port.targetNetworkId, networks),
    sourceNetworkId: port.sourceNetworkId,
    connectionDate: port.connectionDate.slice(0, 10),
    auto: false,
    ...first,
  }).data;
}
