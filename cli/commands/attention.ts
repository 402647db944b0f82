// simporter attention: what needs somebody, the worst first, and what to do about it.
import { Command } from 'commander';
import { type Attention, readAttention } from '../attention.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import type { OutageJson } from '../json-shapes.ts';
import { readOutage, tellOutage } from '../outage.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../session.ts';
import { attentionTables, restLines, tellWithdrawn } from '../show-attention.ts';
import { withTarget } from '../target.ts';

const mostNumbers = 50;
/** Of each kind, in the table; `--json` has all. */
const mostEntries = 200;

export const attentionCommand = ({ action }: CommandContext): Command =>
  new Command('attention').description('Show what needs somebody, the worst first.').action(
    action<[]>((session) =>
      withTarget(session, async (target) => {
        const found = await readAttention(target, session.clock(), session.json ? undefined : mostEntries);
        const outage = await readOutage(target);
        await tell(session, found, outage);
        return found.entries.length > 0 || outage !== undefined ? exitCodes.attention : exitCodes.done;
      }),
    ),
  );

async function tell({ json, terminal }: Session, found: Attention, outage: OutageJson | undefined): Promise<void> {
  const { entries, isCut } = found;
  if (json) {
    await printJson(terminal, { attention: entries, ...(isCut && { more: true }), ...(outage && { outage }) });
    return;
  }
  tellOutage(outage, terminal);
  tellWithdrawn(found, terminal);
  if (entries.length === 0 && outage === undefined) terminal.note('Nothing needs you.');
  else await terminal.lines([...attentionTables(entries, terminal, mostNumbers), ...restLines(found)]);
}
