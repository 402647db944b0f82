// The context to validate rows that change existing ports.
import { createCatalogue } from '#shared/operations/catalogue.ts';
import type { PortDetail } from '#shared/service/contract.ts';
import { countedLookups, rowsContext } from './catalogue.ts';

export const portId = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const locked = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
/** Its request waits for the day on which it can be booked. */
export const scheduledNumber = '447711900777';
export const stranger = '550e8400-e29b-41d4-a716-446655440000';

/** The service writes national numbers, the last one with spaces. */
const rowsOf = (statuses: readonly string[]) =>
  statuses.map((statusName, index) => ({
    id: `row-${index}`,
    msisdn: index === 2 ? '07700 900 003' : `0770090000${index + 1}`,
    pac: `OLD00000${index}`,
    status: 1,
    statusName,
  }));

export function portsContext(statusName = 'Pac Check Failed', statuses = ['PacInvalid', 'PacInvalidDate', 'PacValid']) {
  const port = (id: string, status: string): PortDetail => ({
    id,
    status: 1,
    statusName: status,
    name: 'Port to A sim1-0123456789abcdef',
    targetNetworkId: 11,
    targetNetworkName: 'A',
    sourceNetworkId: 1,
    sourceNetworkName: 'B',
    connectionDate: '2026-07-02T00:00:00',
    portType: 1,
    portTypeName: 'Port',
    rowCount: statuses.length,
    rows: rowsOf(statuses),
  });
  const ports = new Map([portId, locked].map((id) => [id, port(id, id === locked ? 'Locked' : statusName)]));
  const lookups = countedLookups();
  const client = {
    ...lookups,
    port: (id: string) => {
      const found = ports.get(id);
      return found === undefined ? lookups.port(id) : Promise.resolve(found);
    },
  };
  const findScheduled = async (msisdn: string) =>
    msisdn === scheduledNumber ? { importId: 'july', request: 7, sendOn: '2026-08-03' } : undefined;
  const portOf = async (msisdn: string) => (msisdn.startsWith('4477009000') ? portId : undefined);
  return {
    context: rowsContext({
      catalogue: createCatalogue(client, { numbers: { findPortByNumber: portOf, findScheduled } }),
    }),
    ports,
  };
}
