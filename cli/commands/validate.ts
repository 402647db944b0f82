// simporter validate FILE: what would come of this file, with nothing sent.
import { Command } from 'commander';
import type { Issue } from '#shared/domain/issue.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { followImport, isPlanned, sendFile } from '../follow-import.ts';
import { hint } from '../hint.ts';
import { readIssues } from '../import-objects.ts';
import { printJsonWithArray } from '../output/json.ts';
import { noProgress } from '../output/progress.ts';
import { count, counted, plain } from '../output/text.ts';
import { readCount } from '../read-number.ts';
import { operationOption, orderFor, type SendOptions, setOption, tolerateOption } from '../send-options.ts';
import type { Session } from '../session.ts';
import { createIssueDigest, issueCodesTable, issuesTable } from '../show-issues.ts';
import { planTable, readPlanGroups } from '../show-plan.ts';
import { type Target, withTarget } from '../target.ts';
import { fileBytes } from '../upload.ts';

interface ValidateOptions extends SendOptions {
  readonly first: string;
}

export const validateCommand = ({ action }: CommandContext): Command =>
  new Command('validate')
    .description('Judge every row of a CSV against the live catalogue; nothing is sent.')
    .argument('<file>', 'the CSV')
    .addOption(operationOption())
    .addOption(setOption())
    .addOption(tolerateOption())
    .option('--first <count>', 'how many findings to show one by one', '20')
    .action(action<[string, ValidateOptions]>((session, file, options) => validate(session, file, options)));

async function validate(session: Session, file: string, options: ValidateOptions) {
  const order = orderFor(file, true, options);
  const first = readCount('--first', options.first);
  await fileBytes(session, file);
  return withTarget(
    session,
    async (target) => {
      const progress = session.json ? noProgress : session.terminal.progress();
      const begun = await sendFile(session, target, order, progress);
      const item = await followImport(session, target, begun, isPlanned, progress);
      if (session.json) await printValidation(session, target, item);
      else await showValidation(session, target, item, file, first);
      return item.rejected > 0 || item.state === 'refused' ? exitCodes.attention : exitCodes.done;
    },
    { speed: 1 },
  );
}

async function printValidation(session: Session, target: Target, item: ImportItem): Promise<void> {
  const { importId, state, rows, accepted, rejected, warnings, requestCount: requests } = item;
  const plan = await readPlanGroups(target, importId);
  const head = { importId, state, rows, accepted, rejected, warnings, requests, plan };
  return printJsonWithArray(session.terminal, head, 'issues', readIssues(target, item));
}

async function showValidation(session: Session, target: Target, item: ImportItem, file: string, first: number) {
  const { terminal } = session;
  const digest = createIssueDigest(first);
  for await (const issue of readIssues(target, item)) digest.add(issue);
  const { rows, accepted, rejected, requestCount } = item;
  const verdict =
    `${plain(file)}: ${counted(rows, 'row')}, ${count(accepted)} accepted, ${count(rejected)} rejected; ` +
    `${counted(requestCount, 'request')} would be sent.`;
  await terminal.lines([terminal.paint(rejected > 0 || item.state === 'refused' ? 'yellow' : 'green', verdict)]);
  if (digest.byCode().length > 0) await terminal.lines(['', ...issueCodesTable(digest, terminal)]);
  if (digest.first.length > 0) await terminal.lines(['', ...firstIssues(session, digest.first)]);
  const plan = await readPlanGroups(target, item.importId);
  if (plan.length > 0) await terminal.lines(['', 'Would be sent:', ...planTable(plan, terminal)]);
  await terminal.lines(['', nextStep(file, item, target)]);
}

function firstIssues({ terminal }: Session, issues: readonly Issue[]): string[] {
  return [`The first ${counted(issues.length, 'finding')}, all of them with --json:`, ...issuesTable(issues, terminal)];
}

function nextStep(file: string, { importId, state, accepted, rejected }: ImportItem, { kind }: Target): string {
  if (state === 'refused' || accepted === 0) return 'Mend the file and validate it again.';
  const also = rejected > 0 ? '\nThe rejected rows come back in rejected.csv, to mend and import again.' : '';
  // The plan of an engine of our own ends with it.
  const next = kind === 'ephemeral' ? `import ${plain(file)} --watch` : `approve ${importId}`;
  return `To send it: ${hint(next)}${also}`;
}
