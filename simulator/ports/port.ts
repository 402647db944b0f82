// A port as the simulator keeps it, and the statuses of ports and rows.
import * as z from 'zod';
import { fromWireDate } from '#shared/row/calendar-date.ts';
import { portTypeNames, serviceSetting } from '#shared/service/contract.ts';

/** Status names exactly as the spec writes them, with the numeric ids of the simulator (the spec states none). */
export const portStatusIds = {
  Created: 1,
  'Network Validating': 2,
  'Network Rejected': 3,
  'Pac Check Failed': 4,
  Cancelled: 5,
  Submitted: 6,
  Locked: 7,
  Ported: 8,
  'Awaiting Serial': 9,
  'Create RA': 10,
  'Awaiting RA': 11,
  'Create Configuration': 12,
  'Awaiting Configuration': 13,
  Complete: 14,
  SubmittedWithErrors: 15,
  Error: 16,
} as const;
export type PortStatus = keyof typeof portStatusIds;

/** The row statuses that the spec names; no other is ever shown. */
export const rowStatusIds = {
  PacValid: 1,
  PacInvalid: 2,
  PacInvalidDate: 3,
  Submitted: 4,
  Cancelled: 5,
  Amended: 6,
  CancellationRequested: 7,
} as const;
export type RowStatus = keyof typeof rowStatusIds;

const namesOf = <Name extends string>(ids: Readonly<Record<Name, number>>): Name[] => Object.keys(ids) as Name[];

export const portStatus = z.enum(namesOf<PortStatus>(portStatusIds));
export const rowStatus = z.enum(namesOf<RowStatus>(rowStatusIds));

const storedRow = z
  .object({
    id: z.string(),
    /** As the client wrote it: responses show it unchanged. */
    msisdn: z.string(),
    /** E.164 digits: the identity of the number. */
    number: z.string(),
    serialNo: z.string().nullable(),
    pac: z.string().nullable(),
    status: rowStatus,
    /** Epoch milliseconds at which the status was entered. */
    since: z.number(),
    message: z.string().nullable(),
    groupName: z.string(),
    boltOns: z.array(z.int()).readonly(),
    tariffId: z.int(),
    esim: z.boolean(),
    provisioningOrder: z.int().nullable(),
    provisioningOrderName: z.string().nullable(),
    services: z.array(serviceSetting).readonly().nullable(),
  })
  .readonly();
export type Row = z.infer<typeof storedRow>;

export const storedPort = z
  .object({
    id: z.string(),
    accountId: z.int(),
    /** Counts stored changes, so that two writers cannot overwrite each other. */
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
    /** When the operator resolved an error state. */
    resolvedAt: z.number().nullable(),
    /** Every status with its time. A clock that jumps also records each step here. */
    history: z.array(z.object({ status: portStatus, at: z.number() })).readonly(),
    rows: z.array(storedRow).readonly(),
  })
  .readonly();
export type Port = z.infer<typeof storedPort>;

type PortFacts = Omit<
  Port,
  'version' | 'status' | 'since' | 'cancelRequestedAt' | 'lockedAt' | 'resolvedAt' | 'history'
>;

/** The first version of a port, in status Created from `now` on. */
export const createdPort = (facts: PortFacts, now: number): Port => ({
  ...facts,
  version: 1,
  status: 'Created',
  since: now,
  cancelRequestedAt: null,
  lockedAt: null,
  resolvedAt: null,
  history: [{ status: 'Created', at: now }],
});

/** Nothing moves a port out of these. */
export const isEnded = (port: Port): boolean => port.status === 'Complete' || port.status === 'Cancelled';

export const isLiveRow = (row: Row): boolean => row.status !== 'Cancelled';

/**
 * The serial number of a row's SIM. For a kept SIM without one it is the serial that the network will give: derived
 * from the number, so that it is always the same.
 */
export const serialOf = (row: Row): string => row.serialNo ?? `8944${row.number.padStart(15, '0')}`;

/** When the port or one of its rows last changed its status. */
export const lastMovedAt = ({ rows, since }: Port): number =>
  rows.reduce((latest, row) => Math.max(latest, row.since), since);

// The identity of a mobile number, however a client writes it.

const shape = /^\d{8,15}$/;

/**
 * E.164 digits of `07700 900123`, `+447700900123` or `447700900123`; null for anything else.
 * @param callingCode the account's country, for numbers in national form
 */
export function numberKey(msisdn: string, callingCode: string): string | null {
  const digits = msisdn.replace(/^\+|[\s()-]/g, '');
  const international = digits.startsWith('00') ? digits.slice(2) : digits.replace(/^0/, callingCode);
  return shape.test(international) ? international : null;
}

const mobileShapes: Readonly<Record<string, RegExp>> = {
  // Not 070 (personal numbers) and not 076 (pagers), except the mobile numbers of the Isle of Man.
  '44': /^44(7[1-57-9]\d{8}|7624\d{6})$/,
  // 06 and 07, and the fourteen digits of machines.
  '33': /^33([67]\d{8}|700\d{10})$/,
};

/** False for a landline or another number that cannot be ported, in the countries whose numbering plan is known. */
export const isMobileNumber = (number: string): boolean => mobileShapes[number.slice(0, 2)]?.test(number) ?? true;
