// Every text of the console, in one file. The words are those of the command line and of results.csv.
import type { OperationName } from '#shared/domain/imports/operation-name.ts';
import { count, counted } from '#shared/domain/text/counted.ts';
import type { ImportState } from '#shared/items/import.ts';
import type { FileContent, FileFormat } from './api/types.ts';

const numbers = (value: number) => counted(value, 'number');

export const strings = {
  product: 'simporter',
  title: (screen: string) => `${screen} · simporter`,

  shell: {
    skip: 'Skip to the content',
    layout: {
      navigation: 'Main navigation',
      navigationClose: 'Close the navigation',
      navigationToggle: 'Open the navigation',
      notifications: 'Notices',
    },
  },
  navigation: {
    imports: 'Imports',
    upload: 'Upload a file',
    actions: 'Action required',
    number: 'Find a number',
    simulator: 'Simulator',
  },
  topBar: {
    logo: 'Logo',
    search: 'Find a number, such as 07700 900123',
    useDark: 'Use dark colours',
    useLight: 'Use light colours',
    description: (environment: string, account: number, roles: readonly string[]) =>
      `${environment}, account ${account}. ${roles.length === 0 ? 'No role' : roles.join(', ')}`,
    apiDescription: 'API description',
    signOut: 'Sign out',
    i18n: {
      searchIconAriaLabel: 'Search',
      searchDismissIconAriaLabel: 'Close the search',
      overflowMenuTriggerText: 'More',
      overflowMenuTitleText: 'All',
      overflowMenuBackIconAriaLabel: 'Back',
      overflowMenuDismissIconAriaLabel: 'Close the menu',
    },
  },
  environment: {
    label: 'Environment',
    simulator: 'SIMULATOR',
    nothingIsSent: 'Nothing reaches a network.',
    account: (account: number) => `Account ${account}`,
  },
  signIn: {
    title: 'Sign in to simporter',
    text: 'Your administrator creates accounts. Afterwards you return to this page.',
    button: 'Sign in',
    failed: 'You were not signed in',
    failures: {
      access_denied: 'The sign-in was cancelled.',
      invalid_grant: 'The sign-in took too long. Sign in again.',
      invalid_state: 'This tab did not ask for this sign-in. Sign in again.',
    } as Readonly<Record<string, string>>,
    failure: (reason: string) => `The sign-in service answered: ${reason}`,
    noConfig: (status: number) =>
      `/config.json cannot be read (${status}). Run the command in the output UploadConfig of the stack.`,
  },
  session: {
    loading: 'Opening simporter',
    signedOut: {
      title: 'This browser is not signed in',
      text: 'Start simporter again on this machine: it opens this page in your browser. Afterwards this address works here for as long as the data is kept.',
    },
    unavailable: {
      title: 'simporter does not answer',
      text: 'This page connects as soon as it answers. No reload is needed.',
    },
    failed: 'simporter cannot be opened',
  },
  connection: {
    unavailable: {
      title: 'simporter does not answer. Trying again every few seconds',
      text: (shown: string | undefined) =>
        `${shown === undefined ? '' : `You see the state of ${shown}. `}Imports continue without this page.`,
    },
    expired: {
      title: 'Your session has expired',
      text: 'Sign in again to continue. Changes of rows are kept, and what you typed on this page until you leave it.',
      localText: 'Start simporter again on this machine: it opens this page in your browser. Changes of rows are kept.',
    },
    serviceOutage: {
      title: (since: string) => `The porting service has been unavailable since ${since}`,
      text: (reason: string, next: string) =>
        `${reason}. Requests wait until it answers again; none is lost. The next attempt is at ${next}.`,
    },
  },
  loading: {
    text: 'Loading',
    unavailable: 'Waiting for simporter to answer',
    failed: 'This cannot be shown',
    tryAgain: 'Try again',
  },
  notLoaded: {
    title: 'This screen is not loaded yet',
    waits:
      'There is no connection to simporter, or it was updated. The screen opens by itself as soon as it can be loaded.',
    uploads: 'It can be loaded once the page is reloaded. That happens by itself when your upload has ended.',
    failed:
      'It was reloaded and is still missing. Reload the page in a minute, or ask your administrator whether an update of simporter has ended.',
    reload: 'Reload now',
  },
  failure: {
    title: 'This page failed',
    text: (message: string) => `Your imports are not affected. Reload the page to continue. (${message})`,
    reload: 'Reload',
    unknown: 'The reason is unknown. Try again.',
  },
  notFound: {
    title: 'There is no such page',
    text: 'The address may be incomplete.',
    toImports: 'Show the imports',
  },

  bar: {
    share: (numbersText: string, outcome: string) => `${numbersText} ${outcome}`,
  },
  states: {
    planning: 'Planning',
    planned: 'Waiting for approval',
    rejected: 'Rejected',
    submitting: 'Submitting',
    stopped: 'Stopped',
    'in-progress': 'In progress',
    finished: 'Finished',
  } satisfies Record<ImportState, string>,

  imports: {
    title: 'Imports',
    description: 'Every file and what happened to its numbers.',
    upload: 'Upload a file',
    filter: 'State',
    anyState: 'All states',
    more: 'Show more imports',
    received: (at: string, by: string | undefined) => (by === undefined ? at : `${at} by ${by}`),
    actionRequired: (value: number) => `${numbers(value)} require${value === 1 ? 's' : ''} action`,
    reads: 'Reading the file',
    empty: {
      title: 'Upload the first file',
      text: 'An Excel or CSV file with the numbers to port. Nothing is sent before you approve it.',
      example: 'Load an example',
    },
    emptyFilter: { title: 'No import has this state', text: 'Choose another state to see your imports.' },
    accounted: (known: number, all: number) => `${count(known)} of ${count(all)} accounted for`,
  },

  conflict: {
    title: (failed: string) => `${failed}: another person changed it`,
    now: (name: string, value: string) => `${name} is now: ${value}`,
    nothing: 'nothing',
  },
  notices: { dismiss: 'Close this notice' },
  dialog: { close: 'Close', cancel: 'Cancel' },

  import: {
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
      mismatches: (value: number) =>
        `${counted(value, 'SIM')} ${value === 1 ? 'has' : 'have'} other services than requested.`,
    },
  },

  plan: {
    title: 'What will be sent',
    summary: (rows: number, requests: number) => `${numbers(rows)} in ${counted(requests, 'request')}`,
    warning: (rows: number) => `Warning about ${numbers(rows)}`,
    lines: (lines: readonly number[], message: string) =>
      `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.map(count).join(', ')}: ${message}`,
    otherRows: (rows: number) => `and ${numbers(rows)} more`,
    group: 'Numbers with the same',
    more: (groups: number) => `${counted(groups, 'more group')} with fewer numbers`,
    numbers: 'Numbers',
    requests: 'Requests',
    date: 'Why this date',
    asInFile: 'As in the file',
    sizes: (sizes: readonly number[]) => {
      const largest = Math.max(0, ...sizes);
      return sizes.length <= 1 ? `1 of ${count(largest)}` : `${count(sizes.length)}, at most ${count(largest)} each`;
    },
    empty: 'The plan is empty: no number of the file is valid.',
    expired: 'The plan has expired. Upload the file again.',
    approve: (rows: number) => `Approve ${numbers(rows)}`,
    reasons: {
      role: 'The role "approver" is required',
      expired: 'The plan has expired. Upload the file again',
      empty: 'No number of the file is valid',
    },
    declined: {
      title: 'Nothing was sent',
      text: (by: string, reason: string) => `The approval by ${by} was declined: ${reason}.`,
    },
    approval: {
      title: (rows: number) => `Send ${numbers(rows)}?`,
      real: (rows: number, requests: number) =>
        `${numbers(rows)} will be sent to the porting service in ${counted(requests, 'request')}.`,
      simulated: (rows: number, requests: number) =>
        `${numbers(rows)} will be sent to the simulator in ${counted(requests, 'request')}. Nothing reaches a network.`,
      leavesOut: (rows: number) => `${numbers(rows)} with errors will not be sent. You can fix them now or later.`,
      because: 'Note for the history (optional)',
      confirm: 'Approve and send',
      failed: 'The plan was not approved',
      done: (rows: number) => `Approved: ${numbers(rows)} will be sent`,
    },
  },

  rows: {
    title: 'Numbers of the file',
    search: 'Find a number or a text',
    outcome: 'Outcome',
    anyOutcome: 'Any outcome',
    none: 'No number fits the filter.',
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
  },
  files: {
    title: 'Files',
    description: 'Without PACs. A link is valid for a minute.',
    content: 'Content',
    changed: 'Changed',
    download: 'Download',
    downloadFile: (label: string, name: string) => `${label}: ${name}`,
    empty: 'No file was written yet.',
    failed: (name: string) => `${name} was not downloaded`,
    noAddress: 'The link is not an address of the web.',
    contents: {
      results: 'The result of every row of this file. A correction has its own results',
      'correct-update-port': 'Numbers that need a new PAC in their port, or whose change was declined',
      'correct-create-port': 'Numbers that were declined, or need a new PAC and a new port',
      'correct-cancel-port': 'Declined rows, to fix and import again',
      'correct-provision': 'Declined rows, to fix and import again',
      'correct-change-provision': 'Declined rows, to fix and import again',
      'correct-bar-service-config': 'Declined rows, to fix and import again',
      'correct-send-sms': 'Declined rows, to fix and import again',
      'correct-create-bundle': 'Declined rows, to fix and import again',
      'correct-configure-bundle-control': 'Declined rows, to fix and import again',
      'correct-bar': 'Declined rows, to fix and import again',
      'correct-unbar': 'Declined rows, to fix and import again',
      'mismatches-bar-service-config': 'SIMs with other services than requested',
      issues: 'Every finding, for programs',
    } satisfies Record<FileContent, string>,
    formats: {
      xlsx: (size: string) => `Excel (${size})`,
      csv: (size: string) => `CSV (${size})`,
      ndjson: (size: string) => `NDJSON (${size})`,
    } satisfies Record<FileFormat, (size: string) => string>,
  },
  audit: {
    title: 'Who did what',
    empty: 'Nobody did anything with this import yet.',
    by: (name: string) => `by ${name}`,
    because: (text: string) => `Note: ${text}`,
    notVerified: 'not verified',
    actions: {
      uploaded: 'Uploaded',
      approved: 'Approved',
      'approval-declined': 'Approval declined',
      stopped: 'Stopped',
      resumed: 'Resumed',
      rescheduled: 'Rescheduled',
      cancelled: 'Cancellation planned',
      corrected: 'Corrected',
      resolved: 'Resolution requested',
      adopted: 'Port adopted',
      downloaded: 'Link to a file created',
    },
  },

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
        'On the connection date or within 3 days after it (column "pacExpiry"). If such a port is late, no other number waits for it.',
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

  columns: {
    title: 'Columns and formats',
    description: 'How simporter read the file. Nothing was sent: change what is wrong and read the file again.',
    link: 'Columns and formats',
    remembered: 'The columns are as you chose them for an earlier file with the same header.',
    required: {
      title: 'What every number needs',
      filled: (filled: number, all: number) => `${filled} of ${all} filled`,
      byColumn: (header: string) => `Column "${header}"`,
      byValue: (value: string) => `"${value}" for all rows`,
      missing: 'Missing: choose the column below, or',
      neededFor: (what: string) => `For ${what}`,
      enter: 'enter one value for all rows',
      enterOf: (column: string) => `Enter one value of ${column} for all rows`,
    },
    readAgain: 'Read the file again',
    replaces: 'The new plan replaces this one. Nothing is sent before you approve it.',
    failed: 'The file was not read again',
    place: { title: 'Where the numbers are', sheet: 'Sheet', headerRow: 'Row of the header', show: 'Show this row' },
    table: {
      title: 'Columns',
      needed: 'Needed',
      filledBy: 'Filled by',
      inFile: 'In the file',
      values: 'First values',
      column: 'Is',
      own: 'My own column',
      empty: 'The file has no columns.',
      columnOf: (header: string) => `Column ${header}`,
      optionOf: (option: string) => `Only ${option}`,
      bars: { block: 'Bars that it blocks', allow: 'Bars that it allows' },
    },
    formats: {
      title: 'Formats',
      detected: 'As detected',
      visibleRowsOnly: 'Leave out hidden, filtered and struck-out rows',
      labels: { dateOrder: 'Order of dates', separator: 'Separator', encoding: 'Encoding' },
      dateOrders: { dmy: 'Day first: 31/12/2026', mdy: 'Month first: 12/31/2026', ymd: 'Year first: 2026/12/31' },
      separators: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' },
      encodings: {
        'utf-8': 'UTF-8',
        'windows-1252': 'Windows-1252 (Western European)',
        'utf-16le': 'UTF-16, little endian',
        'utf-16be': 'UTF-16, big endian',
      },
    },
  },

  review: {
    title: 'Review and fix',
    description: 'Numbers that cannot be sent as they are. Valid numbers of the file are not affected.',
    loading: (known: number, all: number) => `Loading ${count(known)} of ${numbers(all)}`,
    none: { title: 'No number is invalid', text: 'Every number of the file can be sent, or was sent.' },
    tooMany: (most: number, all: number) =>
      `The first ${count(most)} of ${numbers(all)} are shown. Fix the others in your spreadsheet and upload it again.`,
    groups: 'Problems',
    all: (value: number) => `All ${numbers(value)}`,
    group: (column: string, rows: string, fixed: string) => `${column}: ${fixed} of ${rows} fixed`,
    wholeRow: 'Row',
    sort: (column: string) => `Sort by ${column}`,
    notInFile: 'Not in the file',
    filter: 'Contains',
    filterOf: (column: string) => `Filter by ${column}`,
    filters: 'Filter columns',
    noneShown: 'No row fits the filters.',
    shown: (rows: number, all: number) => `${count(rows)} of ${numbers(all)} shown`,
    replacement: {
      title: 'Find and replace',
      find: 'Find',
      replace: 'Replace with',
      column: 'In',
      everyColumn: 'Every column',
      apply: (cells: number) => `Replace in ${counted(cells, 'cell')}`,
    },
    grid: 'Invalid numbers',
    editor: (column: string) => `New value of ${column}`,
    typed: '••••••',
    progress: { invalid: 'invalid', checking: 'checking', fixed: 'fixed' },
    line: (line: number) => `Line ${count(line)}`,
    issue: (column: string, message: string) => `${column}: ${message}`,
    alike: (value: number, text: string) =>
      `${value === 1 ? '1 other number has' : `${count(value)} other numbers have`} "${text}" in this column.`,
    fixAlike: (value: number) => `Fix ${value === 1 ? 'it' : `all ${count(value)}`} alike`,
    count: (fixed: number, all: number) => `${count(fixed)} of ${numbers(all)} fixed`,
    leftOut: (value: number) =>
      `${counted(value, 'pasted value')} left out: the grid has no cell for ${value === 1 ? 'it' : 'them'} that can be changed`,
    undo: 'Undo',
    redo: 'Redo',
    send: (value: number) => (value === 0 ? 'Send fixed numbers' : `Send ${counted(value, 'fixed number')}`),
    draft: {
      saving: 'Saving',
      saved: (at: string) => `Saved ${at}`,
      failed: (reason: string) => `Not saved: ${reason}`,
      discard: 'Discard changes',
      of: (by: string, rows: number, at: string) =>
        `${by} changed ${numbers(rows)} and has not sent ${rows === 1 ? 'it' : 'them'}. Saved ${at}.`,
      take: 'Continue with these changes',
      replace: 'Replace mine with these changes',
      notOpened: 'The changes were not opened',
    },
    sendFailed: 'The fixed numbers were not sent',
    sent: (value: number) =>
      `${counted(value, 'fixed number')} uploaded as a correction. Approve its plan to send ${value === 1 ? 'it' : 'them'}`,
  },

  actions: {
    title: 'Action required',
    description: 'What cannot continue without you, the most urgent first.',
    empty: {
      title: 'No action is required',
      text: 'Every number continues by itself. This page shows when one does not.',
    },
    incomplete: 'There are more actions than this page shows. Solve these first.',
    kinds: {
      port: (value: number) => `${numbers(value)} with an invalid PAC or another problem`,
      request: (value: number) => `Outcome unknown for ${numbers(value)}`,
      mismatch: (value: number) => `${counted(value, 'SIM')} with other services than requested`,
      import: () => 'Requests were declined by the service',
      rejected: (value: number) => `${numbers(value)} with errors in the file`,
    },
    failedPort: (value: number, status: string) => `${numbers(value)} in a port with the status ${status}`,
    blocks: (value: number) => `${numbers(value)} blocked`,
    cancelBy: (at: string) => `Cancel by ${at}`,
    tooLate: (at: string) => `Could be cancelled until ${at}`,
    links: { port: 'Show the port', import: 'Show the import', review: 'Review and fix' },
    more: (value: number) => `and ${numbers(value)} more`,
  },
  pacs: {
    label: (number: string) => `New PAC of ${number}`,
    placeholder: 'New PAC',
    shape: 'A PAC has letters and digits only, such as three letters and six digits.',
    send: (value: number) => (value === 0 ? 'Send new PACs' : `Send ${counted(value, 'new PAC')}`),
    sent: (value: number) =>
      `${counted(value, 'new PAC')} sent. The network checks ${value === 1 ? 'it' : 'them'} within minutes.`,
    waiting: (value: number) =>
      `${counted(value, 'new PAC')} uploaded. A person with the role "approver" must approve the import.`,
    failed: 'The new PACs were not sent',
    because: 'New PACs from the console',
    remove: (value: number) => `Remove ${numbers(value)} from the port`,
    removal: {
      title: (value: number) => `Remove ${numbers(value)}?`,
      text: (value: number, blocked: number) =>
        `${numbers(value)} will be cancelled in this port. ${
          blocked > 0 ? `${numbers(blocked)} that ${value === 1 ? 'it blocks' : 'they block'} can then continue. ` : ''
        }You can import removed numbers again with a new PAC.`,
      confirm: 'Remove',
      because: 'Removed in the console',
      failed: 'The numbers were not removed',
      done: (value: number, blocked: number) =>
        blocked > 0
          ? `${numbers(value)} will be removed, and ${numbers(blocked)} can continue`
          : `${numbers(value)} will be removed`,
      waiting: (value: number) => `The removal of ${numbers(value)} waits for approval`,
    },
  },
  typedRows: {
    interrupted: 'The rows were uploaded, but not approved. Find their import in the list.',
    invalid: 'A row is invalid, so nothing was sent.',
    slow: 'Checking takes longer than two minutes. Approve the import from the list when its plan is ready.',
  },
  resolution: {
    question: 'simporter does not know whether the service executed this request. What did you find in the portal?',
    kinds: {
      adopt: { label: 'The port exists', description: 'Adopt it: simporter follows this port' },
      resend: { label: 'The port does not exist', description: 'Resend the request: the numbers are sent again' },
      abandon: { label: 'These numbers are done another way', description: 'Abandon the request: nothing is sent' },
    },
    /** Of operations that create no port. */
    otherKinds: {
      resend: { label: 'The service did not execute it', description: 'Resend the request: everything is sent again' },
      abandon: { label: 'The service executed it', description: 'Abandon the request: nothing is sent again' },
    },
    confirm: { adopt: 'Adopt the port', resend: 'Resend the request', abandon: 'Abandon the request' },
    portId: 'Id of the port',
    role: 'The role "operator" is required to resolve this request.',
    failed: 'The request was not resolved',
    waiting: 'The request is being resolved',
    evidence: {
      content: 'Content',
      attempt: 'Sent',
      sentAt: (attempt: number, at: string) => `${counted(attempt, 'attempt')}, the last at ${at}`,
      answer: 'Last result',
      token: 'Search the portal for',
      numbers: 'Numbers',
      port: 'Port',
      none: 'None',
      copy: 'Copy',
      copied: 'Copied',
      notCopied: 'Not copied',
    },
  },
  number: {
    title: 'Find a number',
    description: 'What happened to a number in all imports.',
    label: 'Number',
    notations: 'Any notation: 07700 900123, +44 7700 900123 or 447700900123.',
    find: 'Find',
    missing: {
      title: (text: string) => `No import has sent ${text}`,
      text: 'Check the number. Invalid rows and rows that wait for approval are not found here.',
    },
    outcome: 'Now',
    status: 'Status',
    import: 'Import',
    port: 'Port',
    place: (file: string, line: number) => `${file}, line ${count(line)}`,
    whatToDo: 'What to do',
    history: 'History',
    was: (status: string) => `was ${status}`,
    sent: (file: string) => `Sent with ${file}`,
    earlier: (line: number) => `In an earlier import, line ${count(line)}`,
    noHistory: (at: string) => `No change of a port is known since ${at}.`,
  },
  port: {
    missing: { title: 'There is no such port', text: 'simporter did not create a port with this id.' },
    import: 'Import',
    readAt: (at: string) => `As read from the service at ${at}`,
    concern: 'This port needs a check',
    blocked: (ready: number, blocking: number) =>
      `${numbers(blocking)} ${blocking === 1 ? 'blocks' : 'block'} ${numbers(ready)} in this port`,
    blockedText: 'The network takes the port only when every number in it has a valid PAC.',
    status: 'Status',
    date: 'Connection date',
    numbers: 'Numbers',
    cancelBy: 'Cancel by',
    blockedBy: (blocking: readonly string[]) =>
      `Blocked by ${blocking.slice(0, 3).join(', ')}${blocking.length > 3 ? ', …' : ''}`,
    history: 'History',
  },
  report: {
    title: 'Report',
    asOf: (file: string, at: string) => `${file}, as of ${at}`,
    byNetwork: 'By network',
    network: 'Network',
    byDay: 'By connection date',
    dayCounts: (complete: string, planned: string) => `${complete} of ${planned} ported`,
    column: 'Also by a column of the file',
    columnHelp: 'Such as the cost centre',
    noColumn: 'No column',
    byColumn: (name: string) => `By ${name}`,
    numbers: 'Numbers',
    done: 'Ported',
    share: 'Outcomes',
    noValue: '(empty)',
    xlsx: 'Excel',
    csv: 'CSV',
    print: 'Print or save as PDF',
  },

  simulator: {
    speed: (speed: number) => {
      if (speed === 0) return 'paused';
      if (speed === 1) return 'real time';
      const seconds = Math.max(1, Math.round(86_400 / speed));
      return `a day takes ${seconds % 60 === 0 ? counted(seconds / 60, 'minute') : counted(seconds, 'second')}`;
    },
    title: 'Simulator',
    description: 'The porting service is a simulator on this machine. Try everything: nothing reaches a network.',
    calendar: 'Calendar',
    calendarText: 'The simulator has its own calendar. Ports take days: skip them, or choose how fast they pass.',
    waits: 'waits for you',
    pause: 'Pause',
    run: 'Run',
    nextDay: 'Next day',
    moveFailed: 'The calendar was not changed',
    speedLabel: 'Speed of the calendar',
    speeds: {
      automatic: {
        label: 'Automatic',
        description: 'Runs while numbers are in progress, and waits while a person must act',
      },
      paused: { label: 'Paused', description: 'Only "Next day" moves it' },
      real: { label: 'Real time', description: 'As the clock on the wall' },
      minute: { label: 'A day a minute', description: 'A port takes a few minutes' },
      seconds: { label: 'A day in ten seconds', description: 'For those in a hurry' },
    },
    faults: 'Faults of the service',
    faultsText: 'See how simporter behaves when the service fails.',
    faultsFailed: 'The faults were not changed',
    faultPlans: {
      none: { label: 'No faults', description: 'The service works as documented' },
      outage: { label: 'Outage', description: 'Every call fails with 503 until you end it' },
      slow: { label: 'Slow', description: 'Every answer takes two seconds' },
      unknown: { label: 'Outcome unknown', description: 'The connection breaks after the next new port was created' },
    },
    example: 'Example',
    exampleText: 'A file with valid and invalid numbers.',
    loadExample: 'Load the example',
    exampleFailed: 'The example was not loaded',
  },
} as const;
