// simporter status IMPORT: the progress of an import, or what it would send.

import type { ImportItem } from '#shared/import/import.ts';
import { redeliveryAfter } from '#shared/import/import-state.ts';
import {
  type RootProgress,
  readImportProgress,
  readOutage,
  readPlanGroups,
  readRootProgress,
} from '#shared/results/progress.ts';
import type { ConfigureCommand } from '../context/command.ts';
import { findImport } from '../imports/find-import.ts';
import { chainExitCode, followImport, isWatchOver, openProgress } from '../imports/follow-import.ts';
import { importArgument } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { describeChain, describeImport, toChainJson, toImportJson } from '../views/import-view.ts';
import { formatIssues } from '../views/issues-view.ts';
import { formatPlan } from '../views/plan-view.ts';
import { printOutage } from '../views/sync-view.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option('--watch', 'wait until every port has ended or requires an action')
    .action(
      onTarget<[string, { readonly watch?: boolean }]>(async (session, text, { watch }) => {
        const found = await findImport(session, text);
        const item = watch ? await followImport(session, found, isWatchOver, openProgress(session)) : found;
        const chain = await readRootProgress(session.target, item);
        await print(session, item, chain);
        return chainExitCode(item, chain);
      }),
    );

async function print(session: Session, item: ImportItem, chain: RootProgress): Promise<void> {
  const { target, json, terminal, clock } = session;
  const plan = item.state === 'planned' ? await readPlanGroups(target, item.importId) : undefined;
  const outage = await readOutage(target);
  const progress = await readImportProgress(target, item);
  if (json) {
    const redeliveryAt = redeliveryAfter(item, clock());
    const answer = {
      ...toImportJson(item),
      ...toChainJson(item, chain),
      ...progress,
      ...(redeliveryAt && { redeliveryAt }),
      ...(plan && { plan }),
      ...(outage && { outage }),
    };
    return printJson(session, answer);
  }
  await terminal.lines([...describeImport(session, item, progress, chain.progress), ...describeChain(item, chain)]);
  if (plan !== undefined && plan.length > 0)
    await terminal.lines(['', 'The plan:', ...formatPlan(plan, terminal, item.onInvalidPac)]);
  if (item.issues.length > 0) await terminal.lines(['', ...formatIssues(item.issues, terminal)]);
  printOutage(outage, terminal);
}
