// simporter stop IMPORT: requests that are not sent yet are not sent.
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { isHeld, sendStop, showStopped } from '../imports/stop-import.ts';
import { becauseOption, importArgument } from '../options/common-options.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option(...becauseOption)
    .action(
      onTarget<[string, { readonly because?: string }]>(async (session, text, { because }) => {
        const item = await sendStop(session, await findImport(session, text), 'until-resumed', because, isHeld);
        const { importId } = item;
        const undo = nextCommand('undo', importId);
        await showStopped(session, item, `To cancel what was sent: ${undo}`);
        return exitCodes.done;
      }),
    );
