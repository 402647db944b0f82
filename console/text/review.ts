// The grid in which invalid numbers are fixed.
import { count, counted } from '#shared/text/wording.ts';
import { numbers } from './quantities.ts';

export const texts = {
  review: {
    title: 'Review and fix',
    description: 'Numbers that are invalid, or that the service declined. The others are not affected.',
    loading: (known: number, all: number) => `Loading ${count(known)} of ${numbers(all)}`,
    none: { title: 'There is nothing to fix', text: 'Every number of the file can be sent, or was sent.' },
    tooMany: (most: number, all: number) =>
      `The first ${count(most)} of ${numbers(all)} are shown. Fix the others in your spreadsheet and upload it again.`,
    groups: 'Problems',
    all: (value: number) => `All ${numbers(value)}`,
    group: (column: string, rows: string, fixed: string) => `${column}: ${fixed} of ${rows} fixed`,
    wholeRow: 'Row',
    declined: 'Declined by the service',
    split: (requests: number, calls: number) =>
      `${counted(requests, 'declined request')} ${requests === 1 ? 'was' : 'were'} sent again in halves, to find the declined numbers: ${counted(calls, 'call')} so far.`,
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
    tooLong: (value: number, most: number) =>
      `${counted(value, 'text')} left out: a cell has at most ${count(most)} characters`,
    longText: (most: number) => `The text has more than ${count(most)} characters. Shorten it.`,
    notChecked: (reason: string) => `The row was not checked: ${reason}`,
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
};
