// simporter actions: every action that is required, and how to do it.

import { readActionList } from '#shared/read-models/action-list.ts';
import { readOutage } from '#shared/read-models/outage.ts';
import type { CliContext } from '../context/cli-context.ts';
import type { ConfigureCommand } from '../context/command.ts';
import { type ExitCode, exitCodes } from '../context/exit-code.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';
import { formatActions, formatRemaining, printSkipped, toActionJson } from '../views/actions-view.ts';
import { printOutage } from '../views/outage-view.ts';

const shownNumbers = 50;
/** Of each kind; `--json` answers all. */
const shownEntries = 200;

export const configure: ConfigureCommand = (command, run) =>
  command.option('--assigned-to <name>', 'only those of this person, or of `nobody`').action(run<[Options]>(actions));

interface Options {
  readonly assignedTo?: string;
}

const actions = (context: CliContext, { assignedTo }: Options): Promise<ExitCode> =>
  withTarget(context, (session) => showActions(session, assignedTo));

async function showActions(session: Session, assignedTo?: string): Promise<ExitCode> {
  const { target, clock, json, terminal } = session;
  const list = await readActionList(target, clock(), json ? undefined : shownEntries, assignedTo);
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
    const none = assignedTo === undefined ? 'No action is required.' : 'No action fits --assigned-to.';
    if (entries.length === 0 && outage === undefined) terminal.note(none);
    else await terminal.lines([...formatActions(entries, terminal, shownNumbers), ...formatRemaining(list)]);
  }
  return entries.length > 0 || outage !== undefined ? exitCodes.actionRequired : exitCodes.done;
}
