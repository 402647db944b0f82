// Stored ports, networks and services as the spec shows them in responses.
import { type CalendarDate, toWireDate } from '#shared/row/calendar-date.ts';
import type { PortDetail, PortRow, PortSummary, ServiceGroup, TargetNetwork } from '#shared/service/contract.ts';
import type { Calendar } from '../calendar.ts';
import type { Catalogue, CatalogueServiceGroup, Network, PortTarget } from '../catalogue/catalogue.ts';
import type { Dependencies } from '../dependencies.ts';
import { upcomingHolidays } from '../ports/booking-window.ts';
import { type Port, portStatusIds, type Row, rowStatusIds } from '../ports/port.ts';

/** Ids that differ between calls, as the samples of the spec do, are shifted in Get Port Details. */
const shiftOf = ({ choices }: Dependencies): number => (choices['status-ids'] === 'per-call' ? 100 : 0);

const dateText = (date: CalendarDate, { choices }: Dependencies): string =>
  choices.dates === 'utc' ? `${toWireDate(date)}.000Z` : toWireDate(date);

const portTypeId = (catalogue: Catalogue, name: string): number =>
  catalogue.data.porting.find(({ portTypeName }) => portTypeName === name)?.portType ?? 0;

export const portSummaryBody = (port: Port, source: Dependencies): PortSummary => ({
  id: port.id,
  name: port.name,
  connectionDate: dateText(port.connectionDate, source),
  portType: portTypeId(source.catalogue, port.portTypeName),
  portTypeName: port.portTypeName,
  rowCount: port.rows.length,
  status: portStatusIds[port.status],
  statusName: port.status,
});

const portRowBody = (row: Row, source: Dependencies): PortRow => ({
  id: row.id,
  msisdn: row.msisdn,
  serialNo: row.serialNo,
  pac: row.pac,
  status: rowStatusIds[row.status] + shiftOf(source),
  statusName: row.status,
  message: row.message,
  groupName: row.groupName,
  boltOns: [...row.boltOns],
  tariffId: row.tariffId,
  tariffName: source.catalogue.tariff(row.tariffId)?.tariff.name ?? null,
  esim: row.esim,
  provisioningOrderName: row.provisioningOrderName,
  provisioningOrder: row.provisioningOrder,
  services: row.services === null ? null : [...row.services],
});

export const portDetailBody = (port: Port, network: Network, source: Dependencies): PortDetail => ({
  id: port.id,
  status: portStatusIds[port.status] + shiftOf(source),
  statusName: port.status,
  name: port.name,
  targetNetworkId: port.targetNetworkId,
  targetNetworkName: network.name,
  sourceNetworkId: port.sourceNetworkId,
  sourceNetworkName: source.catalogue.sourceNetworkName(port.sourceNetworkId),
  connectionDate: dateText(port.connectionDate, source),
  portType: portTypeId(source.catalogue, port.portTypeName),
  portTypeName: port.portTypeName,
  rowCount: port.rows.length,
  rows: port.rows.map((row) => portRowBody(row, source)),
});

export const targetNetworkBody = (
  target: PortTarget,
  network: Network,
  source: Dependencies,
  { calendar, today }: { readonly calendar: Calendar; readonly today: CalendarDate },
): TargetNetwork => ({
  id: target.id,
  name: network.name,
  maxPortDays: target.maxPortDays,
  minPortDays: target.minPortDays,
  allowEsim: target.allowEsim,
  networkNumber: network.number,
  sourceNetworks: target.sources.map((id) => ({ id, name: source.catalogue.sourceNetworkName(id) })),
  upcomingHolidays: upcomingHolidays(target, calendar, today, source.choices.holidays).map((date) =>
    dateText(date, source),
  ),
});

/** The services and their options; with the settings of a SIM also the value of each. */
export const serviceGroupBody = (
  { groupName, services }: CatalogueServiceGroup,
  settings?: Readonly<Record<string, string>>,
): ServiceGroup => ({
  groupName,
  services: services.map(({ name, readOnly, type, availableOptions, initial }) => ({
    name,
    ...(settings && { optionValue: settings[name] ?? initial }),
    readOnly,
    type,
    availableOptions,
  })),
});
