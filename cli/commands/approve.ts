// simporter approve IMPORT: shows what an import would send, and sends it once a person agrees.

import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { findApprovalProblem } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { findAccountProblem } from '#shared/import/import-state.ts';
import { findChangeProblem, mostLeftOut, readingOf } from '#shared/import/reading.ts';
import { nothingChanged, readInput, withLeftOut } from '#shared/results/changed-file.ts';
import { openOutcomes } from '#shared/results/file-rows.ts';
import { readPlanGroups, readRootProgress } from '#shared/results/progress.ts';
import { readIssues } from '#shared/results/read-issues.ts';
import { readPassedDays } from '#shared/results/reference-data.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { parseIccid } from '#shared/row/iccid.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { readingKey } from '#shared/store/object-keys.ts';
import { count, counted, isoTime } from '#shared/text/wording.ts';
import { isConfirmed } from '../context/cli-context.ts';
import { CliError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findPlan } from '../imports/find-import.ts';
import { followImport, importExitCode, isWatchOver, openProgress } from '../imports/follow-import.ts';
import { readNumberFile, readSimFile } from '../imports/read-number-file.ts';
import { becauseOption, importArgument, readActor } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { plain } from '../output/text.ts';
import type { Session } from '../target/target.ts';
import {
  createIssueDigest,
  formatIssueCodes,
  formatPassedDays,
  formatPlan,
  formatSamples,
} from '../views/file-view.ts';
import {
  describeFollowing,
  describeImport,
  describeRejected,
  describeRejection,
  toOutcomeJson,
} from '../views/import-view.ts';

interface ApproveOptions {
  readonly watch?: boolean;
  readonly yes?: boolean;
  readonly leaveOut?: string;
  readonly because?: string;
}

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option('--leave-out <file>', 'leave out the rows of these numbers or SIMs, and show the new plan')
    .option('--yes', 'send it without asking')
    .option('--watch', 'wait until every port has ended or requires an action')
    .option(...becauseOption)
    .action(
      onTarget<[string, ApproveOptions]>(async (session, text, options) =>
        approve(session, await findPlan(session, text), options),
      ),
    );

async function approve(session: Session, found: ImportItem, options: ApproveOptions): Promise<ExitCode> {
  const { json, terminal, target } = session;
  const { leaveOut: file, because } = options;
  const item = file === undefined ? found : await leaveOut(session, found, { file, because });
  const problem = findStateProblem(item, target.resources.account, isoTime(session.clock()));
  if (problem !== undefined) terminal.note(problem);
  else if (await isToBeSent(session, item, options)) {
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
  const { shown } = await readRootProgress(target, approved);
  if (json) await printJson(session, toOutcomeJson(approved, shown));
  else {
    await terminal.lines([...describeImport(session, approved, shown), ...describeRejection(approved, terminal)]);
  }
  if (!json && !options.watch) for (const step of describeFollowing(approved)) terminal.note(step);
  return importExitCode(approved);
}

/** The item stays `planned` until ingest has received the approval. */
const isApproved = ({ state }: ImportItem): boolean => state !== 'planned';
const isApprovedAndOver = (item: ImportItem): boolean => isApproved(item) && isWatchOver(item);

/**
 * Ingest decides about the person: it knows who sends the approval. Returns why no approval is needed any more.
 * @throws CliError when nothing can be sent
 */
function findStateProblem(item: ImportItem, account: string, now: string): string | undefined {
  const { importId, state, planHash } = item;
  const anybody = { mode: 'one', authors: [], approver: undefined } as const;
  const problem = findApprovalProblem({ ...anybody, item, account, now, planHash });
  const held = state === 'planned' ? findAccountProblem(item, account) : undefined;
  if (held !== undefined) throw new CliError(`${held}.`, { code: 'declined' });
  if (problem === undefined || (state !== 'planning' && state !== 'rejected')) return problem && `${problem.reason}.`;
  throw new CliError(`${problem.reason}.`, {
    advice:
      state === 'planning'
        ? `Check its plan first: ${nextCommand('status', importId)}`
        : `To see the reasons: ${nextCommand('rejected', importId)}`,
  });
}

/** Shows what would be sent. Asks for confirmation only at a terminal. */
async function isToBeSent(session: Session, item: ImportItem, { yes }: ApproveOptions): Promise<boolean> {
  if (session.json) return true;
  const what = describeSize(item);
  await session.terminal.lines([...(await describePlan(session, item, what)), '']);
  return yes === true || isConfirmed(session.prompt, `Send ${what}`);
}

/** `308 numbers in 30 ports` */
const describeSize = ({ operation, accepted, requestCount }: ImportItem): string =>
  operation === 'create-port'
    ? `${counted(accepted, 'number')} in ${counted(requestCount, 'port')}`
    : `${counted(accepted, 'row')} in ${counted(requestCount, 'request')}`;

async function describePlan({ target, terminal }: Session, item: ImportItem, what: string): Promise<string[]> {
  const { key, rejected } = item;
  const plan = await readPlanGroups(target, item);
  const passed = await readPassedDays(plan, target);
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
    ...(plan.length > 0
      ? ['', 'The first rows of each group are sent with:', ...formatSamples(plan, terminal.width)]
      : []),
    ...(codes.length > 0 ? ['', ...formatIssueCodes(codes, terminal)] : []),
    ...(passed.length > 0 ? ['', ...formatPassedDays(passed, terminal)] : []),
  ];
}

// Rows that are left out: the file is read again without them, and its new plan is the one that can be approved.

const shownNumbers = 5;

/**
 * Returns the import with its new plan.
 * @throws CliError where the import is no draft any more, or a number of the list is in none of its rows
 */
async function leaveOut(
  session: Session,
  item: ImportItem,
  { file, because }: { readonly file: string; readonly because: string | undefined },
): Promise<ImportItem> {
  const { target, terminal } = session;
  const problem = findAccountProblem(item, target.resources.account) ?? findChangeProblem(item);
  if (problem !== undefined) throw new CliError(`${problem}.`);
  const lines = await findLines(session, item, file);
  const input = withLeftOut((await readInput(item, target.files)) ?? nothingChanged, lines);
  if (input.leftOut.length > mostLeftOut) {
    throw usageError(`An import leaves out ${count(mostLeftOut)} rows at most.`, 'Remove the rows from the file.');
  }
  const key = readingKey(item, randomUUID());
  const Body = JSON.stringify(input);
  const put = new PutObjectCommand({ Bucket: item.bucket, Key: key, Body, ContentType: 'application/json' });
  const { ETag = '', VersionId } = await target.s3.send(put);
  const place = { key, etag: ETag.replaceAll('"', ''), ...(VersionId && { versionId: VersionId }) };
  const reading = readingOf(item);
  await target.command({ read: item.importId, reading, input: place, ...readActor(session, because) });
  // It is not read again where somebody has approved it, or changed it in another way, meanwhile.
  const isOver = (now: ImportItem): boolean =>
    now.state !== 'planning' && (readingOf(now) > reading || findChangeProblem(now) !== undefined);
  const read = await followImport(session, item, isOver, openProgress(session));
  if (read.reading?.key !== key) throw new CliError('Somebody else changed this import meanwhile. Try again.');
  terminal.note(`${counted(lines.length, 'row')} left out.`);
  return read;
}

/** The lines of the rows with these numbers or SIMs. @throws CliError (usage) for one that no row has */
async function findLines(session: Session, item: ImportItem, file: string): Promise<number[]> {
  const { target } = session;
  const { columnIndexes = {} } = item;
  const { msisdn, serialNo, serialNumber = serialNo } = columnIndexes;
  const listed = await (msisdn === undefined ? readSimFile(session, file) : readNumberFile(session, file));
  const wanted = new Set(listed.map(({ text }) => keyOf(text, session)));
  const found = new Set<string>();
  const lines: number[] = [];
  const { batches } = await openOutcomes(item, target);
  for await (const rows of batches) {
    for (const { line, cells } of rows) {
      const keys = [msisdn, serialNumber].flatMap((index) =>
        index === undefined ? [] : keyOf(cells[index] ?? '', session),
      );
      const known = keys.filter((key) => key !== '' && wanted.has(key));
      for (const key of known) found.add(key);
      if (known.length > 0) lines.push(line);
    }
  }
  const missing = listed.filter(({ text }) => !found.has(keyOf(text, session)));
  if (missing.length === 0) return lines;
  const shown = missing.slice(0, shownNumbers).map(({ text }) => text);
  throw usageError(
    `${file} lists ${counted(missing.length, 'number')} that the import does not have: ${shown.join(', ')}${missing.length > shownNumbers ? ', …' : ''}.`,
    'Nothing was changed. Remove them from the list.',
  );
}

/** A number or a SIM in whatever spelling; '' where it is neither. */
function keyOf(text: string, { target }: Session): string {
  const number = parseMsisdn(text, target.resources);
  if (number.ok) return number.value;
  const sim = parseIccid(text);
  return sim.ok ? sim.value : '';
}
