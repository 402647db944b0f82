// simporter resume IMPORT: sends what a stopped import has not sent.
import { describeOutcomes } from '#shared/domain/imports/outcome-words.ts';
import { resumedRows, stopOf } from '#shared/domain/imports/stop.ts';
import type { ImportItem } from '#shared/items/import.ts';
import { readImportProgress } from '#shared/read-models/import-progress.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { sendStop, showStopped } from '../imports/stop-import.ts';
import { becauseOption, importArgument } from '../options/common-options.ts';
import type { Session } from '../target/target.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option(...becauseOption)
    .action(
      onTarget<[string, { readonly because?: string }]>(async (session, text, { because }) => {
        const found = await findImport(session, text);
        if (stopOf(found) === 'after-first' && !session.json) await showFirstRows(session, found);
        const item = await sendStop(session, found, 'none', because);
        await showStopped(session, item, nextStep(item));
        return exitCodes.done;
      }),
    );

function nextStep(item: ImportItem): string {
  if (resumedRows(item) !== 'too-early') return `To follow it: ${nextCommand('status', item.importId)}`;
  return `The other rows wait until the first ones are answered. Then: ${nextCommand('resume', item.importId)}`;
}

/** What the person decides on. */
async function showFirstRows({ terminal, target }: Session, item: ImportItem): Promise<void> {
  const { outcomes } = await readImportProgress(target, item);
  await terminal.lines([`So far: ${describeOutcomes(outcomes, item.rows, item.operation)}`, '']);
}
