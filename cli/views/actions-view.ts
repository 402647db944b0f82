// The actions that are required, as JSON and as tables.

import type { ActionList, ListedAction } from '#shared/results/actions.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { count, counted } from '#shared/text/wording.ts';
import { nextCommand } from '../context/next-command.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { formatInstant } from '../output/text.ts';

export const toActionJson = (entry: ListedAction) => {
  const { solution, requestId, operation: _, ...members } = entry;
  return { ...members, next: solution === null ? null : solutions[solution].command(entry) };
};

/**
 * The command that saves the rows to correct.
 * @param operation of the file, where the import has two: each has its own name, so that none overwrites the other
 */
export const saveCorrections = (importId: string, operation?: OperationName): string =>
  operation === undefined
    ? nextCommand('corrections', importId, '--csv', 'correct.csv')
    : nextCommand('corrections', importId, '--csv', `correct-${operation}.csv`, '--operation', operation);

interface Solution {
  readonly purpose: string;
  readonly command: (entry: ListedAction) => string;
}

const solutions: Readonly<Record<NonNullable<ListedAction['solution']>, Solution>> = {
  'enter-pacs': { purpose: 'To enter new PACs', command: ({ importId }) => saveCorrections(importId) },
  'keep-one-port': {
    purpose: 'To keep one of several ports',
    command: ({ requestId }) => nextCommand('resolve', requestId, '--keep', 'PORT'),
  },
  resolve: {
    purpose: 'To resolve the request once you have checked the portal',
    command: ({ requestId }) => nextCommand('resolve', requestId),
  },
  'set-services': {
    purpose: 'To set the services',
    command: ({ importId }) => nextCommand('mismatches', importId, '--csv', 'mismatches.csv'),
  },
  'fix-rows': {
    purpose: 'To fix the rejected rows',
    command: ({ importId }) => nextCommand('rejected', importId, '--csv', 'rejected.csv'),
  },
  'fix-declined': {
    purpose: 'To fix the declined rows',
    // Only create-port has a second file, with new PACs.
    command: ({ importId, operation }) =>
      saveCorrections(importId, operation === 'create-port' ? operation : undefined),
  },
  'read-results': { purpose: 'To see the reasons', command: ({ importId }) => nextCommand('results', importId) },
};

const entryColumns: readonly TableColumn[] = [
  { header: 'cancel by (UTC)' },
  { header: 'status', style: () => 'yellow' },
  { header: 'rows', align: 'right' },
  { header: 'blocked', align: 'right' },
  { header: 'concerns', wraps: true },
  { header: 'what to do', wraps: true },
];

const subjects: Readonly<Record<ListedAction['kind'], string>> = {
  port: 'port',
  request: 'request',
  mismatch: 'SIMs of',
  held: 'import',
  import: 'import',
  rejected: 'import',
};

const numberColumns: readonly TableColumn[] = [
  { header: 'number' },
  { header: 'line', align: 'right' },
  { header: 'status', style: () => 'yellow' },
  { header: 'port' },
  { header: 'message', wraps: true },
];

/** A table of the entries, a table of at most `numberLimit` of their numbers, and the next commands. */
export function formatActions(
  entries: readonly ListedAction[],
  { width, paint }: Terminal,
  numberLimit: number,
): string[] {
  const options = { width, paint };
  const numbers = entries.flatMap(({ id, numbers: rows }) =>
    rows.map(({ msisdn, line, status, message }) => [msisdn && `+${msisdn}`, String(line), status, id, message ?? '']),
  );
  const more = numbers.length - numberLimit;
  const cells = entries.map(({ kind, id, file, status, rows, blockedRows, cancelBy, whatToDo }) => [
    cancelBy === null ? '' : formatInstant(cancelBy),
    status,
    count(rows),
    count(blockedRows),
    `${subjects[kind]} ${id}${file === null ? '' : ` (${file})`}`,
    whatToDo,
  ]);
  return [
    ...formatTable(entryColumns, cells, options),
    ...(numbers.length > 0 ? ['', ...formatTable(numberColumns, numbers.slice(0, numberLimit), options)] : []),
    ...(more > 0 ? [`and ${count(more)} more: ${nextCommand('actions', '--json')}`] : []),
    ...formatSolutions(entries),
  ];
}

const shownSteps = 5;

/** One command for each import, however many of its ports require an action. */
function formatSolutions(entries: readonly ListedAction[]): string[] {
  const steps = entries.flatMap((entry) => {
    const solution = entry.solution === null ? undefined : solutions[entry.solution];
    return solution === undefined ? [] : [`${solution.purpose}: ${solution.command(entry)}`];
  });
  return steps.length === 0 ? [] : ['', ...[...new Set(steps)].slice(0, shownSteps)];
}

/** The entries that the tables do not show. */
export function formatRemaining({ more, isIncomplete }: ActionList): string[] {
  if (more === 0) return isIncomplete ? ['', 'There may be more: only the first 10,000 of each kind were read.'] : [];
  return ['', `and ${isIncomplete ? 'at least ' : ''}${count(more)} more: ${nextCommand('actions', '--json')}`];
}

const namedImports = 3;

/** Skipped rows require no action, but they are not sent, so they are reported. */
export function printSkipped({ skipped }: ActionList, { note }: Terminal): void {
  if (skipped.length === 0) return;
  const rows = skipped.reduce((sum, { skippedRows }) => sum + skippedRows, 0);
  const others = skipped.length - namedImports;
  const names = [
    ...skipped.slice(0, namedImports).map(({ importId }) => importId),
    ...(others > 0 ? [`${count(others)} more`] : []),
  ].join(', ');
  note(`${counted(rows, 'row')} skipped in the last week, in ${names}.`);
  note(`To see the reasons: ${nextCommand('results', 'IMPORT')}`);
}
