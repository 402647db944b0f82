// Stored things as the spec shows them on the wire.
import { type CalendarDate, toWireDate } from '#shared/domain/calendar-date.ts';
import type { PortDetail, PortRow, PortSummary, ServiceGroup, TargetNetwork } from '#shared/porting/contract.ts';
import type { Calendar } from './calendar.ts';
import type { Catalogue, CatalogueServiceGroup, Network, PortTarget } from './catalogue.ts';
import { type Port, portStatusIds, type Row, rowStatusIds } from './port.ts';
import { upcomingHolidays } from './port-window.ts';

const portTypeId = (catalogue: Catalogue, name: string): number =>
  catalogue.data.porting.find(({ portTypeName }) => portTypeName === name)?.portType ?? 0;

export const portSummaryView = (port: Port, catalogue: Catalogue): PortSummary => ({
  id: port.id,
  name: port.name,
  connectionDate: toWireDate(port.connectionDate),
  portType: portTypeId(catalogue, port.portTypeName),
  portTypeName: port.portTypeName,
  rowCount: port.rows.length,
  status: portStatusIds[port.status],
  statusName: port.status,
});

const portRowView = (row: Row, catalogue: Catalogue): PortRow => ({
  id: row.id,
  msisdn: row.msisdn,
  serialNo: row.serialNo,
  pac: row.pac,
  status: rowStatusIds[row.status],
  statusName: row.status,
  message: row.message,
  groupName: row.groupName,
  boltOns: [...row.boltOns],
  tariffId: row.tariffId,
  tariffName: catalogue.tariff(row.tariffId)?.tariff.name ?? null,
  esim: row.esim,
  provisioningOrderName: row.provisioningOrderName,
  provisioningOrder: row.provisioningOrder,
  services: row.services === null ? null : [...row.services],
});

export const portDetailView = (port: Port, network: Network, catalogue: Catalogue): PortDetail => ({
  id: port.id,
  status: portStatusIds[port.status],
  statusName: port.status,
  name: port.name,
  targetNetworkId: port.targetNetworkId,
  targetNetworkName: network.name,
  sourceNetworkId: port.sourceNetworkId,
  sourceNetworkName: catalogue.sourceNetworkName(port.sourceNetworkId),
  connectionDate: toWireDate(port.connectionDate),
  portType: portTypeId(catalogue, port.portTypeName),
  portTypeName: port.portTypeName,
  rowCount: port.rows.length,
  rows: port.rows.map((row) => portRowView(row, catalogue)),
});

export const targetNetworkView = (
  target: PortTarget,
  network: Network,
  catalogue: Catalogue,
  calendar: Calendar,
  today: CalendarDate,
): TargetNetwork => ({
  id: target.id,
  name: network.name,
  maxPortDays: target.maxPortDays,
  minPortDays: target.minPortDays,
  allowEsim: target.allowEsim,
  networkNumber: network.number,
  sourceNetworks: target.sources.map((id) => ({ id, name: catalogue.sourceNetworkName(id) })),
  upcomingHolidays: upcomingHolidays(target, calendar, today).map(toWireDate),
});

/** Without `settings` the options a service has; with them also the value it is set to on one SIM. */
export const serviceGroupView = (
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
