// simporter sync: look at the service now, not at the next turn of the schedule.
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { printJson } from '../output/json.ts';
import { withTarget } from '../target.ts';

export const syncCommand = ({ action }: CommandContext): Command =>
  new Command('sync').description('Follow the ports that are due, and settle requests in doubt, now.').action(
    action<[]>((session) =>
      withTarget(session, async (target) => {
        await target.sync();
        if (session.json) await printJson(session.terminal, { synced: true });
        else session.terminal.note('Synced: what was due is up to date.');
        return exitCodes.done;
      }),
    ),
  );
