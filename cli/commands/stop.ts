// simporter stop IMPORT: what is not sent yet is not sent.
import type { ConfigureCommand } from '../context/command.ts';
import { exitCodes } from '../context/exit-code.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { isHeld, sendStop, showStopped } from '../imports/stop-import.ts';
import { becauseOption } from '../options/actor-options.ts';
import { importArgument } from '../options/import-argument.ts';
import { withTarget } from '../target/with-target.ts';

interface StopOptions {
  readonly because?: string;
}

export const configure: ConfigureCommand = (command, run) =>
  command
    .argument(...importArgument)
    .option(...becauseOption)
    .action(
      run<[string, StopOptions]>((context, text, { because }) =>
        withTarget(context, async (session) => {
          const item = await sendStop(session, await findImport(session, text), 'until-resumed', because, isHeld);
          const { importId } = item;
          const undo = nextCommand('undo', importId);
          await showStopped(session, item, `To cancel what was sent: ${undo}`);
          return exitCodes.done;
        }),
      ),
    );
