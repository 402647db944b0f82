// One import: its summary, numbers and requests, and what a person can do with them.
import { count, counted } from '#shared/text/wording.ts';
import { numbers } from './quantities.ts';

export const texts = {
  import: {
    missing: {
      title: 'There is no such import',
      text: 'It was never uploaded, or has expired. The address may be incomplete.',
    },
    awaited: {
      title: 'Waiting for the file',
      text: (importId: string) =>
        `Import ${importId} begins within a few seconds. This page opens it as soon as it exists.`,
    },
    report: 'Report',
    tabs: { plan: 'Plan', rows: 'Numbers', requests: 'Requests', files: 'Files', audit: 'History' },
    planning: {
      title: 'Reading the file',
      text: 'Every number is checked against the current catalogue. Nothing is sent.',
      interrupted: (time: string) =>
        `Reading was interrupted. It starts again within minutes after ${time}. Nothing is lost.`,
    },
    figure: {
      valid: (rows: number) => `of ${count(rows)} numbers are valid`,
      of: (rows: number, word: string) => `of ${count(rows)} numbers ${word}`,
    },
    facts: {
      accounted: 'Accounted for',
      accountedFor: (known: number, all: number) => `${count(known)} of ${count(all)}`,
      expected: 'Expected date',
      none: '–',
      inPlan: 'In the plan',
      requests: 'Requests',
    },
    rejected: {
      title: 'The file was rejected: nothing was sent',
      noneValid: (rows: number) =>
        `No number can be sent: ${rows === 1 ? 'the only number is' : `all ${numbers(rows)} are`} invalid`,
      text: 'Fix the file and upload it again.',
      chooseColumns: 'Choose the columns, or fix the file and upload it again.',
      fixRows: 'Fix the numbers here, or fix the file and upload it again.',
      columns: 'Choose the columns',
      upload: 'Upload another file',
    },
    absent: {
      title: (column: string, rows: number) =>
        `${numbers(rows)} ${rows === 1 ? 'lacks' : 'lack'} "${column}", and the file has no such column`,
      act: 'Choose a column or one value for all',
    },
    finished: {
      title: (done: number, rows: number, word: string) => `Finished: ${count(done)} of ${numbers(rows)} ${word}`,
      all: 'Every number of the file is done.',
      some: (known: number, all: number) => `${count(known)} of ${count(all)} numbers are accounted for.`,
    },
    next: {
      review: 'Review and fix',
      act: 'Show what to do',
      actionRequired: (value: number) => `${numbers(value)} cannot continue without you.`,
      invalid: (value: number, isPlanned: boolean) =>
        `${numbers(value)} ${value === 1 ? 'is' : 'are'} invalid${isPlanned ? ' and will not be sent' : ' and not sent'}.`,
      declined: (value: number) => `${numbers(value)} ${value === 1 ? 'was' : 'were'} declined by the service.`,
      mismatches: (value: number) =>
        `${counted(value, 'SIM')} ${value === 1 ? 'has' : 'have'} other services than requested.`,
    },
  },
  rows: {
    title: 'Numbers of the file',
    search: 'Find a number or a text',
    outcome: 'Outcome',
    anyOutcome: 'Any outcome',
    none: 'No number fits the filter.',
    blocked: 'blocked',
    selection: 'Selected numbers',
    selectAll: 'Select all numbers of this page',
    selectRow: (line: number) => `Select line ${count(line)}`,
    cancel: (value: number) => (value === 0 ? 'Cancel numbers' : `Cancel ${numbers(value)}`),
    columns: {
      line: 'Line',
      number: 'Number',
      outcome: 'Outcome',
      status: 'Status',
      message: 'Message',
      whatToDo: 'What to do',
      review: 'Review and fix',
      port: 'Port',
      openPort: 'Open',
    },
  },
  cancellation: {
    title: (rows: number) => `Plan the cancellation of ${numbers(rows)}?`,
    text: 'This creates a plan. The numbers are cancelled when the plan is approved.',
    confirm: 'Create the plan',
    failed: 'The cancellation was not planned',
    planned: (rows: number) => `The cancellation of ${numbers(rows)} is planned. Approve it to cancel them`,
    left: (rows: number) =>
      rows === 0 ? '' : `${numbers(rows)} cannot be cancelled: they are not in a port in progress.`,
  },
  requests: {
    title: 'Requests',
    request: 'Request',
    content: 'Content',
    numbers: 'Numbers',
    state: 'State',
    port: 'Port',
    note: 'Note',
    sendOn: (date: string) => `Sent on ${date}, when the date can be booked`,
    empty: 'No request was sent yet.',
    more: 'Show more requests',
    selection: 'Selected requests',
    selectAll: 'Select all requests',
    selectRequest: (request: number) => `Select request ${count(request)}`,
    reschedule: (value: number) => (value === 0 ? 'Reschedule all' : `Reschedule ${counted(value, 'request')}`),
  },
  rescheduling: {
    title: (value: number) =>
      value === 0 ? 'Move all ports to another date' : `Move ${counted(value, 'port')} to another date`,
    text: 'A new import cancels the ports and creates them again on the other date. A port that is locked stays as it is.',
    date: 'Date',
    auto: 'The first possible day',
    autoDescription: 'The earliest working day that the network accepts',
    chosen: 'A day that I choose',
    confirm: 'Reschedule',
    failed: 'The ports were not rescheduled',
    notMoved: {
      title: 'No port was moved: nothing was sent',
      text: 'Ports that are not locked can be moved to another date.',
      requests: 'Choose ports again',
    },
  },
  stopping: {
    stoppedBy: (by: string, at: string) => `Stopped by ${by} on ${at}`,
    stop: {
      button: 'Stop',
      title: 'Stop this import?',
      text: 'What is not sent yet waits until the import is resumed. Ports that exist go on.',
      failed: 'The import was not stopped',
    },
    resume: {
      button: 'Resume',
      title: 'Resume this import?',
      text: 'What was not sent yet is sent now.',
      failed: 'The import was not resumed',
    },
    end: {
      button: 'End for good',
      title: 'End this import for good?',
      text: 'What is not sent yet never will be. Ports that exist go on. You can cancel them afterwards.',
      failed: 'The import was not ended',
    },
    undo: {
      button: 'Cancel all numbers',
      title: 'Plan the cancellation of all numbers?',
      text: 'A plan lists every number of this import that is still in progress. Nothing is cancelled before you approve it.',
      failed: 'The cancellation was not planned',
    },
    unknownRequests: (requests: number) =>
      `Without ${counted(requests, 'request')} of unknown outcome: repeat this when simporter knows whether they have a port`,
  },
};
