// simporter attention: what needs somebody, the worst first, and what to do about it.
import { Command } from 'commander';
import { readAttention } from '../attention.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { readOutage, tellOutage } from '../outage.ts';
import { printJson } from '../output/json.ts';
import { attentionTables } from '../show-attention.ts';
import { withTarget } from '../target.ts';

const mostNumbers = 50;

export const attentionCommand = ({ action }: CommandContext): Command =>
  new Command('attention').description('Show what needs somebody, the worst first.').action(
    action<[]>((session) =>
      withTarget(session, async (target) => {
        const entries = await readAttention(target);
        const outage = await readOutage(target);
        const { terminal } = session;
        if (!session.json) tellOutage(outage, terminal);
        if (session.json) await printJson(terminal, { attention: entries, ...(outage && { outage }) });
        else if (entries.length === 0 && outage === undefined) terminal.note('Nothing needs you.');
        else await terminal.lines(attentionTables(entries, terminal, mostNumbers));
        return entries.length > 0 || outage !== undefined ? exitCodes.attention : exitCodes.done;
      }),
    ),
  );
