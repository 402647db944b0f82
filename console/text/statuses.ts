// States and statuses in plain words.

import type { ImportState } from '#shared/import/import.ts';
import type { PortStatusName, RowStatusName } from '#shared/port/port-status.ts';

export const texts = {
  states: {
    planning: 'Planning',
    planned: 'Waiting for approval',
    rejected: 'Rejected',
    submitting: 'Submitting',
    scheduled: 'Scheduled',
    stopped: 'Stopped',
    'in-progress': 'In progress',
    finished: 'Finished',
  } satisfies Record<ImportState, string>,
  /** Of ports and their numbers, as the service calls them. */
  statuses: {
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
  } satisfies Record<PortStatusName | RowStatusName, string>,
};
