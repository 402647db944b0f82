// simporter sync: look at the service now, not at the next turn of the schedule.
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { readOutage } from '../outage.ts';
import { printJson } from '../output/json.ts';
import { syncJsonOf, tellSync } from '../show-sync.ts';
import { withTarget } from '../target.ts';

export const syncCommand = ({ action }: CommandContext): Command =>
  new Command('sync').description('Follow the ports that are due, and settle requests in doubt, now.').action(
    action<[]>((session) =>
      withTarget(session, async (target) => {
        const answer = await target.sync();
        const synced = syncJsonOf(answer, await readOutage(target));
        if (session.json) await printJson(session.terminal, synced);
        else tellSync(synced, session.terminal);
        return synced.synced ? exitCodes.done : exitCodes.attention;
      }),
    ),
  );
