// A port as it is read back from a durable store.
import * as z from 'zod';
import { fromWireDate } from '#shared/domain/calendar-date.ts';
import { portTypeNames, serviceSetting } from '#shared/porting/contract.ts';
import { type Port, type PortStatus, portStatusIds, type RowStatus, rowStatusIds } from './port.ts';

const namesOf = <Name extends string>(ids: Readonly<Record<Name, number>>): Name[] => Object.keys(ids) as Name[];

const status = z.enum(namesOf<PortStatus>(portStatusIds));

const storedRow = z.object({
  id: z.string(),
  msisdn: z.string(),
  number: z.string(),
  serialNo: z.string().nullable(),
  pac: z.string().nullable(),
  status: z.enum(namesOf<RowStatus>(rowStatusIds)),
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
  status,
  since: z.number(),
  cancelRequestedAt: z.number().nullable(),
  lockedAt: z.number().nullable(),
  resolvedAt: z.number().nullable(),
  history: z.array(z.object({ status, at: z.number() })),
  rows: z.array(storedRow),
});
