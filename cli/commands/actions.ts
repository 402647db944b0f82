// simporter actions: every action that is required, and how to do it.

import { readActionList } from '#shared/results/actions.ts';
import { readOutage } from '#shared/results/progress.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { formatActions, formatRemaining, printSkipped, toActionJson } from '../views/actions-view.ts';
import { printOutage } from '../views/sync-view.ts';

const shownNumbers = 50;
/** Of each kind; `--json` answers all. */
const shownEntries = 200;

export const configure: ConfigureCommand = (command, { onTarget }) => command.action(onTarget(showActions));

async function showActions(session: Session): Promise<ExitCode> {
  const { target, clock, json, terminal } = session;
  const list = await readActionList(target, clock(), json ? undefined : shownEntries);
  const outage = await readOutage(target);
  const { entries } = list;
  if (json) {
    await printJson(session, {
      actionRequired: entries.map(toActionJson),
      ...(list.isIncomplete && { incomplete: true }),
      ...(outage && { outage }),
    });
  } else {
    printOutage(outage, terminal);
    printSkipped(list, terminal);
    if (entries.length === 0 && outage === undefined) terminal.note('No action is required.');
    else await terminal.lines([...formatActions(entries, terminal, shownNumbers), ...formatRemaining(list)]);
  }
  return entries.length > 0 || outage !== undefined ? exitCodes.actionRequired : exitCodes.done;
}
