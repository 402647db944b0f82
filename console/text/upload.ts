// The upload of a file, and what to do with its numbers.
import type { OperationName } from '#shared/text/identity.ts';

export const texts = {
  operations: {
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
  } satisfies Record<OperationName, { label: string; description: string }>,
  upload: {
    title: 'Upload a file',
    description:
      'simporter reads the file, checks every number and shows a plan. You approve it before anything is sent.',
    noRole: {
      title: 'You may read imports, but not upload files',
      text: 'Ask an administrator for the role "uploader".',
    },
    chooser: {
      label: 'File',
      constraint: 'Excel workbook (.xlsx) or CSV, in any encoding and with any separator.',
      invitation: 'Drag an Excel or CSV file here',
      release: 'Release the file here',
      button: 'Choose a file',
      another: 'Choose another file',
      remove: 'Remove the file',
      error: 'Error',
    },
    problems: {
      empty: (name: string) => `"${name}" is empty. Choose another file.`,
      tooLarge: (size: string, most: string) =>
        `The file has ${size}; the most is ${most}. Split it into smaller files.`,
      noExtension: (name: string) =>
        `"${name}" has no extension. Save it as .xlsx or .csv, so that it is known what the file is.`,
      otherSpreadsheet: (extension: string) =>
        `A .${extension} file cannot be read. Open it in your spreadsheet program and save it as .xlsx.`,
      noTable: (extension: string) => `A .${extension} file contains no table. Choose an Excel or CSV file.`,
    },
    operation: 'What to do with the numbers',
    operationLabel: 'Operation',
    template: { label: 'Template to fill in', xlsx: 'Excel', csv: 'CSV', failed: 'The template was not downloaded' },
    values: {
      title: 'Same value for all rows',
      description: 'For columns that the file does not have, such as the network or the tariff',
      add: 'Choose a column',
      use: (text: string) => `Use "${text}"`,
      noSuggestion: 'No suggestion. Enter the value',
      remove: (column: string) => `Remove ${column}`,
    },
    separate: {
      label: 'Separate ports for numbers whose PAC expires soon',
      description:
        'On the connection date or within 3 days after it (column "PAC expiry"). If such a port is late, no other number waits for it.',
    },
    perDay: {
      label: 'Most numbers on one day',
      description: 'Where the date is "auto": the rows are spread over the days that can be booked.',
      none: 'No limit',
    },
    failed: 'The file was not uploaded',
    failedFile: (name: string) => `${name} was not uploaded`,
    running: (name: string) => `Uploading ${name}`,
    runs: 'Uploads continue while you open other screens.',
    done: (name: string) => `${name} is uploaded`,
    show: 'Show its plan',
    unfinished: {
      title: (name: string) => `${name} was not uploaded completely`,
      text: 'Choose the same file again: only the parts that have not arrived are sent.',
      discard: 'Discard this upload',
    },
    chooseFirst: 'Choose a file first',
    start: 'Upload and check',
    nothingIsSent: 'Nothing is sent to a network before you approve the plan.',
    phases: {
      sending: 'Uploading. You can pause at any time.',
      paused: 'Paused. The parts that arrived are kept for a day.',
      waiting: 'The connection failed. Trying again every few seconds.',
      completing: 'The file has arrived. Reading it begins.',
    },
    sent: (sent: string, all: string) => `${sent} of ${all}`,
    buttons: { pause: 'Pause', resume: 'Continue', discard: 'Discard' },
  },
};
