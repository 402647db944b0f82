// simporter resume IMPORT: sends what a stopped import has not sent.
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { sendStop, showStopped } from '../imports/stop-import.ts';
import { becauseOption, importArgument } from '../options/common-options.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option(...becauseOption)
    .action(
      onTarget<[string, { readonly because?: string }]>(async (session, text, { because }) => {
        const item = await sendStop(session, await findImport(session, text), 'none', because);
        await showStopped(session, item, `To follow it: ${nextCommand('status', item.importId)}`);
        return exitCodes.done;
      }),
    );
