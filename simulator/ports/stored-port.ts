// A port as a durable store or a snapshot has it.
import * as z from 'zod';
import { fromWireDate } from '#shared/domain/dates/calendar-date.ts';
import { portTypeNames, serviceSetting } from '#shared/porting/contract.ts';
import { type Port, type PortStatus, portStatusIds, type RowStatus, rowStatusIds } from './port.ts';

const namesOf = <Name extends string>(ids: Readonly<Record<Name, number>>): Name[] => Object.keys(ids) as Name[];

export const portStatus = z.enum(namesOf<PortStatus>(portStatusIds));
export const rowStatus = z.enum(namesOf<RowStatus>(rowStatusIds));

const storedRow = z.object({
  id: z.string(),
  msisdn: z.string(),
  number: z.string(),
  serialNo: z.string().nullable(),
  pac: z.string().nullable(),
  status: rowStatus,
  since: z.number(),
  message: z.string().nullable(),
  groupName: z.string(),
  boltOns: z.array(z.int()),
  tariffId: z.int(),
  esim: z.boolean(),
  provisioningOrder: z.int().nullable(),
  provisioningOrderName: z.string().nullable(),
  services: z.array(serviceSetting).nullable(),
});

export const storedPort: z.ZodType<Port> = z.object({
  id: z.string(),
  accountId: z.int(),
  version: z.int(),
  name: z.string(),
  portTypeName: z.enum(portTypeNames),
  targetNetworkId: z.int(),
  sourceNetworkId: z.int(),
  connectionDate: z.string().transform(fromWireDate),
  status: portStatus,
  since: z.number(),
  cancelRequestedAt: z.number().nullable(),
  lockedAt: z.number().nullable(),
  resolvedAt: z.number().nullable(),
  history: z.array(z.object({ status: portStatus, at: z.number() })),
  rows: z.array(storedRow),
});
