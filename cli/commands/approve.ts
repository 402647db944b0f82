// simporter approve IMPORT: shows what an import would send, and sends it once a person agrees.

import { findApprovalProblem } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { readIssues } from '#shared/results/findings.ts';
import { readImportProgress, readPlanGroups } from '#shared/results/progress.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { counted, isoTime } from '#shared/text/wording.ts';
import { CliError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findPlan } from '../imports/find-import.ts';
import { followImport, importExitCode, isWatchOver, openProgress } from '../imports/follow-import.ts';
import { becauseOption, importArgument, readActor } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { plain } from '../output/text.ts';
import type { Session } from '../target/target.ts';
import {
  describeFollowing,
  describeImport,
  describeRejected,
  describeRejection,
  toOutcomeJson,
} from '../views/import-view.ts';
import { createIssueDigest, formatIssueCodes } from '../views/issues-view.ts';
import { formatPlan } from '../views/plan-view.ts';

interface ApproveOptions {
  readonly watch?: boolean;
  readonly yes?: boolean;
  readonly because?: string;
}

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option('--yes', 'do not ask before it is sent')
    .option('--watch', 'wait until every port has ended or requires an action')
    .option(...becauseOption)
    .action(
      onTarget<[string, ApproveOptions]>(async (session, text, options) =>
        approve(session, await findPlan(session, text), options),
      ),
    );

async function approve(session: Session, item: ImportItem, options: ApproveOptions): Promise<ExitCode> {
  const { json, terminal, target } = session;
  const problem = findStateProblem(item, isoTime(session.clock()));
  if (problem !== undefined) terminal.note(problem);
  else if (await isConfirmed(session, item, options)) {
    await target.command({ approve: item.importId, plan: item.planHash, ...readActor(session, options.because) });
  } else {
    terminal.note('Nothing was sent.');
    return exitCodes.actionRequired;
  }
  const isDeclined = ({ state, declinedApproval }: ImportItem): boolean =>
    state === 'planned' && declinedApproval !== undefined && declinedApproval.at !== item.declinedApproval?.at;
  const isEnough = options.watch ? isApprovedAndOver : isApproved;
  const isOver = (now: ImportItem): boolean => isDeclined(now) || isEnough(now);
  const approved = await followImport(session, item, isOver, openProgress(session));
  if (isDeclined(approved)) {
    throw new CliError(`The approval was declined. ${approved.declinedApproval?.reason}.`, {
      code: 'declined',
      advice: `Nothing was sent. To see who did what: ${nextCommand('audit', item.importId)}`,
    });
  }
  const progress = await readImportProgress(target, approved);
  if (json) await printJson(session, toOutcomeJson(approved, progress));
  else {
    await terminal.lines([...describeImport(session, approved, progress), ...describeRejection(approved, terminal)]);
  }
  if (!json && !options.watch) for (const step of describeFollowing(approved)) terminal.note(step);
  return importExitCode(approved);
}

/** The item stays `planned` until ingest has received the approval. */
const isApproved = ({ state }: ImportItem): boolean => state !== 'planned';
const isApprovedAndOver = (item: ImportItem): boolean => isApproved(item) && isWatchOver(item);

/** Ingest decides about the person: it knows who sends the approval. @throws CliError when there is no plan to send */
function findStateProblem(item: ImportItem, now: string): string | undefined {
  const { importId, state, planHash } = item;
  const anybody = { mode: 'one', uploader: undefined, approver: undefined } as const;
  const problem = findApprovalProblem({ ...anybody, item, now, planHash });
  if (problem === undefined || (state !== 'planning' && state !== 'rejected')) return problem && `${problem.reason}.`;
  throw new CliError(`${problem.reason}.`, {
    advice:
      state === 'planning'
        ? `Check its plan first: ${nextCommand('status', importId)}`
        : `To see the reasons: ${nextCommand('rejected', importId)}`,
  });
}

/** Shows what would be sent. Asks for confirmation only at a terminal. */
async function isConfirmed(session: Session, item: ImportItem, { yes }: ApproveOptions): Promise<boolean> {
  if (session.json) return true;
  const what = describeSize(item);
  await session.terminal.lines([...(await describePlan(session, item, what)), '']);
  if (yes || session.prompt === undefined) return true;
  const answer = await session.prompt.ask(`Send ${what} (y/N)? `);
  return ['y', 'yes'].includes(answer.toLowerCase());
}

/** `308 numbers in 30 ports` */
const describeSize = ({ operation, accepted, requestCount }: ImportItem): string =>
  operation === 'create-port'
    ? `${counted(accepted, 'number')} in ${counted(requestCount, 'port')}`
    : `${counted(accepted, 'row')} in ${counted(requestCount, 'request')}`;

async function describePlan({ target, terminal }: Session, item: ImportItem, what: string): Promise<string[]> {
  const { importId, key, rejected } = item;
  const plan = await readPlanGroups(target, importId);
  const digest = createIssueDigest(0);
  for await (const issue of readIssues(target, item)) if (issue.severity === 'warning') digest.add(issue);
  const codes = digest.byCode();
  const warnings = codes.reduce((sum, { issues }) => sum + issues, 0);
  const others = [
    ...(rejected > 0 ? describeRejected(item) : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return [
    `${plain(fileNameOf(key))}: ${[what, ...others].join(', ')}`,
    ...(plan.length > 0 ? ['', ...formatPlan(plan, terminal, item.onInvalidPac)] : []),
    ...(codes.length > 0 ? ['', ...formatIssueCodes(codes, terminal)] : []),
  ];
}
