// The list of imports, and the archive.
import { count, counted } from '#shared/text/wording.ts';
import { numbers } from './quantities.ts';

export const texts = {
  imports: {
    title: 'Imports',
    description: 'Every file and what happened to its numbers.',
    upload: 'Upload a file',
    search: 'File or person',
    filter: 'State',
    anyState: 'All states',
    archived: 'Archived',
    time: 'Received',
    anyTime: 'At any time',
    today: 'Today',
    lastDays: (days: number) => `In the last ${counted(days, 'day')}`,
    received: (at: string, by: string | undefined) => (by === undefined ? at : `${at} by ${by}`),
    numbers,
    actionRequired: (value: number) => `${numbers(value)} require${value === 1 ? 's' : ''} action`,
    reads: 'Reading the file',
    empty: {
      title: 'Upload the first file',
      text: 'An Excel or CSV file with the numbers to port. Nothing is sent before you approve it.',
      example: 'Load an example',
    },
    emptyFilter: { title: 'No import fits the filters', text: 'Change them to see your other imports.' },
    accounted: (known: number, all: number) => `${count(known)} of ${count(all)} accounted for`,
  },
  archive: {
    button: 'Archive',
    of: (file: string) => `Archive ${file}`,
    failed: 'The import was not archived',
    done: (file: string) => `${file} is archived: it is in the list with the state "Archived"`,
    undo: 'Show in the list again',
    undoFailed: 'The import is still archived',
    isArchived: 'Archived',
  },
};
