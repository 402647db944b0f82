// simporter approve IMPORT: send what was planned and waits.
import { Command } from 'commander';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { Asking } from '#shared/domain/person.ts';
import { askingIn, becauseOption } from '../asking.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { Failure } from '../failure.ts';
import { findImport } from '../find-import.ts';
import { followImport, isSettled, needsSomebody } from '../follow-import.ts';
import { hint } from '../hint.ts';
import { importArgument } from '../import-argument.ts';
import { printJson } from '../output/json.ts';
import { noProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { describeImport, outcomeJsonOf } from '../show-import.ts';
import { type Target, withTarget } from '../target.ts';

interface ApproveOptions {
  readonly watch?: boolean;
  readonly because?: string;
}

export const approveCommand = ({ action }: CommandContext): Command =>
  new Command('approve')
    .description('Send an import that was planned and waits for it.')
    .argument(...importArgument)
    .option('--watch', 'stay until every port has ended, or waits for a person')
    .option(...becauseOption)
    .action(
      action<[string, ApproveOptions]>((session, given, { watch = false, because }) =>
        withTarget(session, async (target) => {
          const asking = askingIn(session, because);
          const item = await approve(session, target, await findImport(target, given), asking, watch);
          if (session.json) await printJson(session.terminal, outcomeJsonOf(item));
          else await session.terminal.lines(describeImport(item, session.terminal));
          if (!session.json && !watch) session.terminal.note(`To follow it: ${hint(`status ${item.importId}`)}`);
          return needsSomebody(item) ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

async function approve(
  session: Session,
  target: Target,
  item: ImportItem,
  asking: Asking,
  watch: boolean,
): Promise<ImportItem> {
  if (item.state === 'planning') {
    throw new Failure(`Import ${item.importId} is still being read.`, {
      advice: `Look at its plan first: ${hint(`status ${item.importId}`)}`,
    });
  }
  if (item.state === 'refused') {
    throw new Failure(`Import ${item.importId} was refused: there is nothing to send.`, {
      advice: `To see why: ${hint(`rejected ${item.importId}`)}`,
    });
  }
  if (item.state === 'planned') await target.approve({ approve: item.importId, ...asking });
  else session.terminal.note(`Import ${item.importId} has been released already.`);
  const progress = session.json ? noProgress : session.terminal.progress();
  const isOver = ({ state }: ImportItem) => state !== 'planned';
  return followImport(session, target, item, watch ? isSettledOnceReleased : isOver, progress);
}

/** A plan waits until ingest has taken up the approval: that is no end. */
const isSettledOnceReleased = (item: ImportItem): boolean => item.state !== 'planned' && isSettled(item);
