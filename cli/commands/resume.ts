// simporter resume IMPORT: sends what a stopped import has not sent.
import type { ConfigureCommand } from '../context/command.ts';
import { exitCodes } from '../context/exit-code.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { sendStop, showStopped } from '../imports/stop-import.ts';
import { becauseOption } from '../options/actor-options.ts';
import { importArgument } from '../options/import-argument.ts';
import { withTarget } from '../target/with-target.ts';

interface ResumeOptions {
  readonly because?: string;
}

export const configure: ConfigureCommand = (command, run) =>
  command
    .argument(...importArgument)
    .option(...becauseOption)
    .action(
      run<[string, ResumeOptions]>((context, text, { because }) =>
        withTarget(context, async (session) => {
          const item = await sendStop(session, await findImport(session, text), 'none', because);
          await showStopped(session, item, `To follow it: ${nextCommand('status', item.importId)}`);
          return exitCodes.done;
        }),
      ),
    );
