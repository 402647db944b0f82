// simporter rejected IMPORT: the rows that were not sent, and why; as a CSV to mend and drop again.
import { Command } from 'commander';
import type { Issue } from '#shared/domain/issue.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { findImport } from '../find-import.ts';
import { hint } from '../hint.ts';
import { importArgument } from '../import-argument.ts';
import { readIssues, rejectedObject } from '../import-objects.ts';
import { printJson, printJsonLine } from '../output/json.ts';
import { count } from '../output/text.ts';
import { saveCsv } from '../reports.ts';
import type { Session } from '../session.ts';
import { issuesTable } from '../show-issues.ts';
import { type Target, withTarget } from '../target.ts';

interface RejectedOptions {
  readonly csv?: string;
}

export const rejectedCommand = ({ action }: CommandContext): Command =>
  new Command('rejected')
    .description('Show the rows that were not sent, and why.')
    .argument(...importArgument)
    .option(
      '--csv <file>',
      'write rejected.csv: the original columns, the line, the errors; mend it and import it again',
    )
    .action(
      action<[string, RejectedOptions]>((session, given, { csv }) =>
        withTarget(session, async (target) => {
          const item = await findImport(target, given);
          if (csv !== undefined) await saveRejected(session, target, item, csv);
          else if (session.json) await printErrors(session, target, item);
          else await showErrors(session, target, item);
          return item.rejected > 0 || item.state === 'refused' ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

async function saveRejected(session: Session, target: Target, item: ImportItem, csv: string): Promise<void> {
  const object = rejectedObject(target, item.importId);
  if ((await target.files.head(object)) === undefined) {
    session.terminal.note('No row was rejected: there is nothing to write.');
    if (session.json) await printJson(session.terminal, { written: [] });
    return;
  }
  await saveCsv(session, await target.files.read(object), csv);
  session.terminal.note('It holds porting codes: keep it as safe as the file itself.');
}

async function printErrors({ terminal }: Session, target: Target, item: ImportItem): Promise<void> {
  for await (const issue of errorsOf(target, item)) await printJsonLine(terminal, issue);
}

async function* errorsOf(target: Target, item: ImportItem): AsyncIterable<Issue> {
  for await (const issue of readIssues(target, item)) if (issue.severity === 'error') yield issue;
}

const shownTogether = 200;

/** In portions, so that a million rejected rows never stand in memory; the columns are aligned within each portion. */
async function showErrors({ terminal }: Session, target: Target, item: ImportItem): Promise<void> {
  let portion: Issue[] = [];
  for await (const issue of errorsOf(target, item)) {
    portion.push(issue);
    if (portion.length < shownTogether) continue;
    await terminal.lines(issuesTable(portion, terminal));
    portion = [];
  }
  if (portion.length > 0) await terminal.lines(issuesTable(portion, terminal));
  terminal.note(
    item.rejected === 0
      ? 'No row was rejected.'
      : `\n${count(item.rejected)} rejected. To mend them: ${hint(`rejected ${item.importId} --csv rejected.csv`)}`,
  );
}
