// A port as the simulator keeps it, and the statuses of ports and rows.
import type { CalendarDate } from '#shared/domain/dates/calendar-date.ts';
import type { PortTypeName, ServiceSetting } from '#shared/porting/contract.ts';

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

export interface Row {
  readonly id: string;
  /** As the client wrote it: responses show it unchanged. */
  readonly msisdn: string;
  /** E.164 digits: the identity of the number. */
  readonly number: string;
  readonly serialNo: string | null;
  readonly pac: string | null;
  readonly status: RowStatus;
  /** Epoch milliseconds at which the status was entered. */
  readonly since: number;
  readonly message: string | null;
  readonly groupName: string;
  readonly boltOns: readonly number[];
  readonly tariffId: number;
  readonly esim: boolean;
  readonly provisioningOrder: number | null;
  readonly provisioningOrderName: string | null;
  readonly services: readonly ServiceSetting[] | null;
}

export interface Port {
  readonly id: string;
  readonly accountId: number;
  /** Counts stored changes, so that two writers cannot overwrite each other. */
  readonly version: number;
  readonly name: string;
  readonly portTypeName: PortTypeName;
  readonly targetNetworkId: number;
  readonly sourceNetworkId: number;
  readonly connectionDate: CalendarDate;
  readonly status: PortStatus;
  readonly since: number;
  readonly cancelRequestedAt: number | null;
  readonly lockedAt: number | null;
  /** When the operator resolved an error state. */
  readonly resolvedAt: number | null;
  /** Every status with its time. A clock that jumps leaves each step here all the same. */
  readonly history: readonly { readonly status: PortStatus; readonly at: number }[];
  readonly rows: readonly Row[];
}

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
