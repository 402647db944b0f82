// simporter results IMPORT: every line of the file and what became of it, as it stands at this moment.
import { Command } from 'commander';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { findImport } from '../find-import.ts';
import { needsSomebody } from '../follow-import.ts';
import { importArgument } from '../import-argument.ts';
import type { ResultJson } from '../json-shapes.ts';
import { printJsonLine } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { count, counted } from '../output/text.ts';
import { readCount } from '../read-number.ts';
import { saveCsv } from '../reports.ts';
import { createOutcomeTally, readResults, resultsCsv } from '../results.ts';
import type { Session } from '../session.ts';
import { outcomeColumn, outcomesTable } from '../show-outcomes.ts';
import { subjectReader } from '../subject.ts';
import { type Target, withTarget } from '../target.ts';

interface ResultsOptions {
  readonly csv?: string;
  readonly first: string;
}

export const resultsCommand = ({ action }: CommandContext): Command =>
  new Command('results')
    .description('Show every line of a file and what became of it, as it stands now.')
    .argument(...importArgument)
    .option('--csv <file>', 'write all of it: the original columns and the outcome')
    .option('--first <count>', 'how many lines to show', '20')
    .action(
      action<[string, ResultsOptions]>((session, given, { csv, first }) => {
        const most = readCount('--first', first);
        return withTarget(session, async (target) => {
          const item = await findImport(target, given);
          if (csv !== undefined) await saveCsv(session, resultsCsv(target, item), csv);
          else if (session.json) await printResults(session, target, item);
          else await showResults(session, target, item, most);
          return needsSomebody(item) ? exitCodes.attention : exitCodes.done;
        });
      }),
    );

async function printResults({ terminal }: Session, target: Target, item: ImportItem): Promise<void> {
  for await (const result of readResults(target, item)) await printJsonLine(terminal, result);
}

const rowColumns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'about' },
  outcomeColumn,
  { header: 'status' },
  { header: 'message', shrinks: true },
  { header: 'what to do', shrinks: true },
];

async function showResults({ terminal }: Session, target: Target, item: ImportItem, most: number): Promise<void> {
  const first: ResultJson[] = [];
  const tally = createOutcomeTally();
  for await (const result of readResults(target, item)) {
    if (first.length < most) first.push(result);
    tally.add(result);
  }
  const subject = subjectReader(item);
  const rows = first.map((result) => [
    String(result.line),
    subject(result.columns),
    result.outcome,
    result.status,
    result.message,
    result.whatToDo,
  ]);
  await terminal.lines([...outcomesTable(tally, terminal), '', ...formatTable(rowColumns, rows, terminal)]);
  if (item.rows > first.length) {
    terminal.note(`The first ${count(first.length)} of ${counted(item.rows, 'line')}; all of them: --csv FILE`);
  }
}
