// simporter results IMPORT: the result of every row, as it is now.

import type { ImportItem } from '#shared/import/import.ts';
import { describeHold } from '#shared/import/import-state.ts';
import { createRowIdentifier } from '#shared/results/correction-rows.ts';
import type { RowOutcome } from '#shared/results/file-rows.ts';
import { openResultsTable } from '#shared/results/import-files.ts';
import { readRootProgress } from '#shared/results/progress.ts';
import { createOutcomeTally, openResults, readResults, streamResultsCsv } from '#shared/results/results.ts';
import { count, counted } from '#shared/text/wording.ts';
import type { ConfigureCommand } from '../context/command.ts';
import { findImport } from '../imports/find-import.ts';
import { familyExitCode } from '../imports/follow-import.ts';
import { saveFile, saveWorkbook } from '../imports/save-report.ts';
import { addFileOptions, type FileOptions, importArgument, parseCount } from '../options/common-options.ts';
import { printJsonLine } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { formatInstant } from '../output/text.ts';
import type { Session } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';
import {
  describeFollowing,
  describeRejection,
  describeState,
  formatOutcomes,
  outcomeColumn,
} from '../views/import-view.ts';

interface ResultsOptions extends FileOptions {
  readonly first?: string;
}

/** Of a table for a person. */
const shownRows = 20;

export const configure: ConfigureCommand = (command, { run }) =>
  addFileOptions(command.argument(...importArgument), 'write every row: your columns and the results')
    .option('--first <count>', `how many rows to show (default: ${shownRows}; with --json all)`)
    .action(
      run<[string, ResultsOptions]>(async (context, text, { csv, xlsx, first }) => {
        const limit = first === undefined ? undefined : parseCount('--first', first);
        return withTarget(context, async (session) => {
          const item = await findImport(session, text);
          if (csv !== undefined) await saveFile(session, streamResultsCsv(session.target, item), csv);
          else if (xlsx !== undefined) {
            await saveWorkbook(session, item.rows, await openResultsTable(session.target, item), xlsx);
          } else if (session.json) await print(session, item, limit);
          else await showResults(session, item, limit ?? shownRows);
          const held = describeHold(item, session.target.resources.account);
          if (held !== undefined) session.terminal.note(`${held}.`);
          return familyExitCode(item, await readRootProgress(session.target, item));
        });
      }),
    );

async function print(session: Session, item: ImportItem, limit = Number.POSITIVE_INFINITY): Promise<void> {
  let printed = 0;
  for await (const result of readResults(session.target, item)) {
    await printJsonLine(session, result);
    printed += 1;
    if (printed >= limit) return;
  }
}

const rowColumns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  { header: 'number or SIM' },
  outcomeColumn,
  { header: 'status' },
  { header: 'message', wraps: true },
  { header: 'what to do', wraps: true },
];

export async function showResults(session: Session, item: ImportItem, limit: number): Promise<void> {
  const { target, terminal } = session;
  const first: RowOutcome[] = [];
  const tally = createOutcomeTally();
  let total = 0;
  const outcomes = await openResults(target, item);
  for await (const rows of outcomes.batches) {
    first.push(...rows.slice(0, limit - first.length));
    total += rows.length;
    for (const { result } of rows) tally.add(result);
  }
  if (statesWithoutResults.has(item.state)) {
    await showState(session, item);
    // Line 0 is a file whose rows were not read.
    if (!first.some(({ line }) => line > 0)) return;
    await terminal.lines(['']);
  }
  const identify = createRowIdentifier(outcomes);
  const cells = first.map((row) => {
    const { outcome, status, message, whatToDo } = row.result;
    return [String(row.line), identify(row), outcome, status, message, whatToDo];
  });
  await terminal.lines([...formatOutcomes(tally, terminal), '', ...formatTable(rowColumns, cells, terminal)]);
  const { writtenAt } = outcomes;
  if (writtenAt !== undefined) {
    terminal.note(`The upload is gone: these are the results as of ${formatInstant(writtenAt.toISOString())} UTC.`);
  }
  if (total > first.length) {
    terminal.note(
      `Showing ${count(first.length)} of ${counted(total, 'row')}; to write all of them: --csv FILE or --xlsx FILE`,
    );
  }
}

/** Such an import may be a correction: then the results of the file that it corrects are shown. */
const statesWithoutResults: ReadonlySet<ImportItem['state']> = new Set(['planning', 'rejected']);

async function showState({ target, terminal }: Session, item: ImportItem): Promise<void> {
  const state = describeState(item, (await readRootProgress(target, item)).shown);
  await terminal.lines([state, ...describeRejection(item, terminal)]);
  for (const step of describeFollowing(item)) terminal.note(step);
}
