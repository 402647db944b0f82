// The words of several screens: states, statuses, operations, quantities, and what a file can say in several ways.
import type { ImportState } from '#shared/import/import.ts';
import type { PortStatusName, RowStatusName } from '#shared/port/port-status.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { counted } from '#shared/text/wording.ts';

/** `1 number`, `318 numbers` */
export const numbers = (value: number): string => counted(value, 'number');

/** Behind so many numbers of all: `1 of 3 numbers is`, `0 of 1 number is`, `2 of 3 numbers are` */
export const isOrAre = (value: number, all: number): string => (value === 1 || all === 1 ? 'is' : 'are');

export const states = {
  planning: 'Planning',
  planned: 'Waiting for approval',
  rejected: 'Rejected',
  submitting: 'Submitting',
  scheduled: 'Scheduled',
  stopped: 'Stopped',
  'in-progress': 'In progress',
  finished: 'Finished',
} satisfies Record<ImportState, string>;

/** The statuses of ports and their numbers, as the service calls them. */
export const statuses = {
  Created: 'Created',
  'Network Validating': 'Being checked by the network',
  'Network Rejected': 'Rejected by the network',
  'Pac Check Failed': 'A PAC is invalid',
  Submitted: 'Accepted by the network',
  Locked: 'Date is fixed',
  Ported: 'Moved, being set up',
  'Awaiting Serial': 'Waiting for a SIM',
  'Create RA': 'Being set up',
  'Awaiting RA': 'Being set up',
  'Create Configuration': 'Being set up',
  'Awaiting Configuration': 'Being set up',
  SubmittedWithErrors: 'Accepted with errors',
  Error: 'Failed',
  Complete: 'Complete',
  Cancelled: 'Cancelled',
  PacInvalid: 'PAC is invalid',
  PacInvalidDate: 'PAC expires before the date',
  PacValid: 'PAC is valid',
  Amended: 'New PAC, being checked',
  CancellationRequested: 'Being cancelled',
} satisfies Record<PortStatusName | RowStatusName, string>;

export const operations = {
  'create-port': { label: 'Port numbers', description: 'Move numbers from other networks to yours' },
  'update-port': { label: 'Enter new PACs', description: 'Replace PACs of ports that exist' },
  'cancel-port': { label: 'Cancel ports', description: 'Cancel ports, or numbers of ports' },
  provision: { label: 'Provision SIMs', description: 'Activate SIMs with a tariff' },
  'change-provision': { label: 'Change SIMs', description: 'Change the tariff or the bolt-ons of SIMs' },
  'bar-service-config': { label: 'Set services and bars', description: 'Set services and bars of SIMs' },
  'send-sms': { label: 'Send texts', description: 'Send a text to SIMs' },
  'create-bundle': { label: 'Create bundles', description: 'Create data bundles for SIMs' },
  'configure-bundle-control': { label: 'Control bundles', description: 'Set what happens at the end of a bundle' },
  bar: { label: 'Bar SIMs', description: 'Set bars (earlier form of "Set services and bars")' },
  unbar: { label: 'Unbar SIMs', description: 'Remove bars (earlier form of "Set services and bars")' },
} satisfies Record<OperationName, { label: string; description: string }>;

export const dateOrderNames = { dmy: 'Day first', mdy: 'Month first', ymd: 'Year first' };

/** The formats of a file that it does not state itself. */
export const formatNames = {
  separator: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' },
  encoding: {
    'utf-8': 'UTF-8',
    'windows-1252': 'Windows-1252 (Western European)',
    'utf-16le': 'UTF-16, little endian',
    'utf-16be': 'UTF-16, big endian',
  },
};

export const onlyVisibleRows = 'Leave out hidden, filtered and struck-out rows';

export const sentOnDay = (day: string): string => `Sent on ${day}, when the date can be booked`;

export const sessionExpired = {
  title: 'Your session has expired',
  text: 'Sign in again to continue. Changes of rows are kept, and what you typed on this page until you leave it.',
  localText: 'Start simporter again on this machine: it opens this page in your browser. Changes of rows are kept.',
};
