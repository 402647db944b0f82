// simporter status IMPORT: how far it is.
import { Command } from 'commander';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { findImport } from '../find-import.ts';
import { followImport, isSettled, needsSomebody } from '../follow-import.ts';
import { hint } from '../hint.ts';
import { importArgument } from '../import-argument.ts';
import type { OutageJson, PlanGroupJson } from '../json-shapes.ts';
import { readOutage, tellOutage } from '../outage.ts';
import { printJson } from '../output/json.ts';
import { noProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { describeImport, importJsonOf } from '../show-import.ts';
import { issuesTable } from '../show-issues.ts';
import { planTable, readPlanGroups } from '../show-plan.ts';
import { type Target, withTarget } from '../target.ts';

interface StatusOptions {
  readonly watch?: boolean;
}

export const statusCommand = ({ action }: CommandContext): Command =>
  new Command('status')
    .description('Show how far an import is, or what it would send.')
    .argument(...importArgument)
    .option('--watch', 'stay until every port has ended, or waits for a person')
    .action(
      action<[string, StatusOptions]>((session, given, { watch = false }) =>
        withTarget(session, async (target) => {
          const found = await findImport(target, given);
          const item = watch ? await followToRest(session, target, found) : found;
          const plan = item.state === 'planned' ? await readPlanGroups(target, item.importId) : undefined;
          await answer(session, item, plan, await readOutage(target));
          return needsSomebody(item) ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

function followToRest(session: Session, target: Target, item: ImportItem): Promise<ImportItem> {
  const progress = session.json ? noProgress : session.terminal.progress();
  return followImport(session, target, item, isSettled, progress);
}

async function answer(
  session: Session,
  item: ImportItem,
  plan: PlanGroupJson[] | undefined,
  outage: OutageJson | undefined,
): Promise<void> {
  const { json, terminal } = session;
  if (json) return printJson(terminal, { ...importJsonOf(item), ...(plan && { plan }), ...(outage && { outage }) });
  await show(session, item, plan ?? []);
  tellOutage(outage, terminal);
}

async function show({ terminal }: Session, item: ImportItem, plan: readonly PlanGroupJson[]): Promise<void> {
  await terminal.lines(describeImport(item, terminal));
  if (plan.length > 0) await terminal.lines(['', 'Would be sent:', ...planTable(plan, terminal)]);
  if (item.issues.length === 0) return;
  await terminal.lines(['', ...issuesTable(item.issues, terminal)]);
  if (item.rejected > 0) terminal.note(`\nEvery rejected row: ${hint(`rejected ${item.importId}`)}`);
}
