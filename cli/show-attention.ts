// What needs somebody, as tables.

import type { Attention } from './attention.ts';
import { hint } from './hint.ts';
import type { AttentionEntryJson } from './json-shapes.ts';
import { formatTable, type TableColumn } from './output/table.ts';
import type { Terminal } from './output/terminal.ts';
import { count, counted } from './output/text.ts';
import { instantText } from './show-import.ts';

const entryColumns: readonly TableColumn[] = [
  { header: 'port, request or import' },
  { header: 'status', style: () => 'yellow' },
  { header: 'bad lines', align: 'right' },
  { header: 'good lines held', align: 'right' },
  { header: 'cancel by (UTC)' },
  { header: 'what to do', shrinks: true },
];

const numberColumns: readonly TableColumn[] = [
  { header: 'number' },
  { header: 'line', align: 'right' },
  { header: 'status', style: () => 'yellow' },
  { header: 'port', shrinks: true },
  { header: 'message', shrinks: true },
];

/** A table of the entries, then one of the numbers in them, at most `mostNumbers`. */
export function attentionTables(
  entries: readonly AttentionEntryJson[],
  { width, paint }: Terminal,
  mostNumbers: number,
): string[] {
  const look = { width, paint };
  const numbers = entries.flatMap(({ id, numbers: bad }) =>
    bad.map(({ msisdn, line, status, message }) => [`+${msisdn}`, String(line), status, id, message ?? '']),
  );
  const more = numbers.length - mostNumbers;
  return [
    ...formatTable(
      entryColumns,
      entries.map(({ id, status, numbers: bad, held, cancelBy, whatToDo }) => [
        id,
        status,
        count(bad.length),
        count(held),
        cancelBy === null ? '' : instantText(cancelBy),
        whatToDo,
      ]),
      look,
    ),
    ...(numbers.length > 0 ? ['', ...formatTable(numberColumns, numbers.slice(0, mostNumbers), look)] : []),
    ...(more > 0 ? [`and ${count(more)} more: ${hint('attention --json')}`] : []),
    ...nextSteps(entries),
  ];
}

const mostSteps = 5;

const purposes: Readonly<Record<AttentionEntryJson['kind'], string>> = {
  port: 'To fill in new PACs',
  request: 'Once you have looked',
  drift: 'To set the services again',
  import: 'To see why',
};

/** What the tables leave out is never left unsaid. */
export function restLines({ more, isCut }: Pick<Attention, 'more' | 'isCut'>): string[] {
  if (more === 0) return isCut ? ['', 'There may be more: so much is not read at once.'] : [];
  return ['', `and ${isCut ? 'at least ' : ''}${count(more)} more that wait: ${hint('attention --json')}`];
}

const mostNamed = 3;

/** It needs nobody, but rows that go nowhere are not kept quiet. */
export function tellWithdrawn({ withdrawn }: Pick<Attention, 'withdrawn'>, { note }: Pick<Terminal, 'note'>): void {
  if (withdrawn.length === 0) return;
  const rows = withdrawn.reduce((sum, { withdrawnRows }) => sum + withdrawnRows, 0);
  const named = withdrawn.slice(0, mostNamed).map(({ importId }) => importId);
  const others = withdrawn.length > mostNamed ? [`${count(withdrawn.length - mostNamed)} more`] : [];
  const where = [...named, ...others].join(', ');
  note(
    `${counted(rows, 'good row')} of the last week withdrawn before sending, in ${where}: ${hint('results IMPORT')} says why.`,
  );
}

/** One command an import, however many of its ports wait. */
function nextSteps(entries: readonly AttentionEntryJson[]): string[] {
  const steps = [
    ...new Set(entries.flatMap(({ kind, next }) => (next === null ? [] : [`${purposes[kind]}: ${next}`]))),
  ];
  return steps.length === 0 ? [] : ['', ...steps.slice(0, mostSteps)];
}
