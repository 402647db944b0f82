// simporter import FILE uploads a file and, with --watch, follows it until nothing more happens without a person.
// simporter validate FILE validates a file and shows what it would send.
import { installation } from '#installation';
import type { ImportItem } from '#shared/import/import.ts';
import { mayBeSent } from '#shared/import/import-state.ts';
import { readPlanGroups, readRootProgress } from '#shared/results/progress.ts';
import { readIssues } from '#shared/results/read-issues.ts';
import { count, counted } from '#shared/text/wording.ts';
import type { CliContext } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import {
  familyExitCode,
  followImport,
  isPlanned,
  isWatchOver,
  openProgress,
  planExitCode,
  uploadImport,
} from '../imports/follow-import.ts';
import { saveReports, saveReportWorkbooks } from '../imports/save-report.ts';
import { readFileSize, type UploadRequest } from '../imports/upload.ts';
import { parseCount, parseSpeed } from '../options/common-options.ts';
import {
  addUploadOptions,
  createSimulateOption,
  readUploadRequest,
  type UploadOptions,
} from '../options/upload-options.ts';
import { printJson, printJsonWithArray } from '../output/json.ts';
import { plain, wrap } from '../output/text.ts';
import type { Session, Target } from '../target/target.ts';
import { withOptionalTarget, withTemporaryEmulator } from '../target/with-target.ts';
import { createIssueDigest, formatIssueCodes, formatIssues, formatPlan, type IssueDigest } from '../views/file-view.ts';
import {
  describeFamily,
  describeFollowing,
  describeImport,
  describeRejected,
  describeRejection,
  toFamilyJson,
  toOutcomeJson,
} from '../views/import-view.ts';

interface ImportOptions extends UploadOptions {
  readonly watch?: boolean;
  readonly simulate?: boolean;
  readonly speed?: string;
  readonly reports?: string;
  readonly workbooks?: boolean;
}

export const configureImport: ConfigureCommand = (command, { run }) =>
  addUploadOptions(command.argument('<file>', 'a CSV or a workbook (.xlsx)'))
    .option('--watch', 'wait until every port has ended or requires an action')
    .option('--plan-only', 'stop after the plan: nothing is sent until it is approved')
    .option('--reports <folder>', 'at the end of the watch, write results.csv and rejected.csv there')
    .option('--workbooks', 'with --reports: write results.xlsx and rejected.xlsx, too')
    .addOption(createSimulateOption())
    .option('--speed <times>', 'with --simulate: how fast the calendar runs')
    .action(run<[string, ImportOptions]>(runImport));

async function runImport(context: CliContext, file: string, options: ImportOptions): Promise<ExitCode> {
  const bytes = await readFileSize(context, file);
  const request = await readUploadRequest(context, file, options);
  if (options.workbooks && options.reports === undefined) {
    throw usageError('--workbooks needs --reports.', 'For example: --reports july --workbooks');
  }
  if (options.simulate) {
    return withTemporaryEmulator(context, speedFor(bytes, options.speed), (session) =>
      importFile(session, request, options),
    );
  }
  if (options.speed !== undefined) {
    throw usageError(
      `--speed "${options.speed}" needs --simulate.`,
      'The speed of a running emulator cannot be changed.',
    );
  }
  const exitCode = await withOptionalTarget(context, (session) => importFile(session, request, options));
  if (exitCode !== undefined) return exitCode;
  throw usageError(
    `Nothing was sent: no emulator is running in ${context.options.directory}, and no stack was named.`,
    `Choose one: "${installation.startCommand}" in another terminal, --stack NAME (or SIMPORTER_STACK), or --simulate to only try it.`,
    'not-running',
  );
}

async function importFile(session: Session, request: UploadRequest, options: ImportOptions): Promise<ExitCode> {
  const { json, terminal, target } = session;
  const isTemporary = target.kind === 'temporary';
  const progress = openProgress(session);
  const started = await uploadImport(session, request, progress);
  // A temporary emulator ends with the command, so an import that is not watched would end with it.
  const watch = options.watch === true || isTemporary;
  if (!isTemporary) noteOnInterruption(session, started.importId);
  const item = await followImport(session, started, watch ? isWatchOver : createReadCheck(session), progress);
  progress?.finish();
  const written = await writeReports(session, item, options);
  const chain = await readRootProgress(target, item);
  if (json) await printJson(session, { ...toOutcomeJson(item, chain.shown), ...toFamilyJson(item, chain) });
  else
    await terminal.lines([
      ...describeImport(session, item, chain.shown, chain),
      ...describeFamily(item, chain),
      ...(await describeFindings(session, item)),
      ...written.map((name) => `wrote ${name}`),
    ]);
  if (!json && !watch) for (const step of describeFollowing(item)) terminal.note(step);
  // Nobody asked for a plan only: the file has findings that a person must approve.
  const isHeld = item.state === 'planned' && !mayBeSent(item) && request.settings.planOnly !== true;
  if (isHeld) return exitCodes.actionRequired;
  // Without a watch, only the plan is known for certain. A file that is still being read is not an error.
  return watch ? familyExitCode(item, chain) : planExitCode(item);
}

/** Ingest records progress every few seconds. Without any, the service may be unavailable for days. */
const patienceMs = 15_000;

/** Whether the file was read to its end, or its reading makes no progress. */
function createReadCheck({ clock, terminal, json }: Session): (item: ImportItem) => boolean {
  let changedAt = '';
  let readAt = clock();
  return (item) => {
    if (isPlanned(item)) return true;
    if (item.changedAt !== changedAt) [changedAt, readAt] = [item.changedAt, clock()];
    if (clock() - readAt < patienceMs) return false;
    if (!json) terminal.note('The file is still being read. simporter continues without this command.');
    return true;
  };
}

/** Why nothing is sent; otherwise all that differs from what the file has. `rejected` shows the rows with errors. */
async function describeFindings({ target, terminal }: Session, item: ImportItem): Promise<string[]> {
  if (item.state === 'rejected') return describeRejection(item, terminal);
  if (item.warnings === 0) return [];
  const digest = createIssueDigest(0);
  for await (const issue of readIssues(target, item)) if (issue.severity !== 'error') digest.add(issue);
  return ['', ...formatIssueCodes(digest.byCode(), terminal)];
}

async function writeReports(session: Session, item: ImportItem, { reports, workbooks }: ImportOptions) {
  if (reports === undefined) return [];
  const written = await saveReports(session, item, reports);
  return workbooks ? [...written, ...(await saveReportWorkbooks(session, item, reports))] : written;
}

/** Ctrl-C ends the watch, not the import. */
function noteOnInterruption({ signal, terminal }: CliContext, importId: string): void {
  const advice = `To follow it: ${nextCommand('status', importId)}`;
  const note = () => terminal.note(`\nThe import continues. ${advice}`);
  signal.addEventListener('abort', note, { once: true });
}

const smallFileBytes = 256 * 1024;

/** A small file completes in seconds; a large one must be read before its dates have passed. */
const speedFor = (bytes: number, speed: string | undefined): number =>
  speed === undefined ? (bytes <= smallFileBytes ? 14_400 : 1_440) : parseSpeed(speed);

// Validate: shows what a file would send; nothing is sent.

interface ValidateOptions extends UploadOptions {
  readonly first: string;
  readonly simulate?: boolean;
}

export const configureValidate: ConfigureCommand = (command, { run }) =>
  addUploadOptions(command.argument('<file>', 'a CSV or a workbook (.xlsx)'))
    .addOption(createSimulateOption())
    .option('--first <count>', 'how many issues to show one by one', '20')
    .action(run<[string, ValidateOptions]>(validate));

async function validate(context: CliContext, file: string, options: ValidateOptions): Promise<ExitCode> {
  const request = await readUploadRequest(context, file, { ...options, planOnly: true, validation: true });
  const first = parseCount('--first', options.first);
  await readFileSize(context, file);
  const validateFile = async (session: Session): Promise<ExitCode> => {
    const progress = openProgress(session);
    const started = await uploadImport(session, request, progress);
    const item = await followImport(session, started, isPlanned, progress);
    if (session.json) await printValidation(session, item);
    else await showValidation(session, item, { file: plain(file), first });
    return planExitCode(item);
  };
  const exitCode = options.simulate ? undefined : await withOptionalTarget(context, validateFile);
  if (exitCode !== undefined) return exitCode;
  const { note, notePaint } = context.terminal;
  if (!options.simulate) note(notePaint('yellow', 'No emulator is running, and no stack was named.'));
  note('The file is validated against the reference data of a SIMULATOR, not against your account.');
  return withTemporaryEmulator(context, 1, validateFile);
}

async function printValidation(session: Session, item: ImportItem): Promise<void> {
  const { target } = session;
  const { importId, state, rows, accepted, rejected, warnings, requestCount: requests } = item;
  const plan = await readPlanGroups(target, item);
  const head = { importId, state, rows, accepted, rejected, warnings, requests, plan };
  return printJsonWithArray(session, head, 'issues', readIssues(target, item));
}

interface Validation {
  readonly file: string;
  /** How many issues to show one by one. */
  readonly first: number;
}

async function showValidation(
  { target, terminal }: Session,
  item: ImportItem,
  { file, first }: Validation,
): Promise<void> {
  const { rows, accepted, rejected, requestCount, state } = item;
  const digest = createIssueDigest(first);
  for await (const issue of readIssues(target, item)) digest.add(issue);
  const verdict =
    `${file}: ${counted(rows, 'row')}, ${[`${count(accepted)} accepted`, ...describeRejected(item)].join(', ')}; ` +
    `${counted(requestCount, 'request')} would be sent.`;
  const isClean = rejected === 0 && state !== 'rejected';
  const plan = await readPlanGroups(target, item);
  await terminal.lines([
    ...wrap(verdict, terminal.width).map((line) => terminal.paint(isClean ? 'green' : 'yellow', line)),
    ...(digest.first.length > 0 ? describeIssues(digest, terminal) : []),
    ...(plan.length > 0 ? ['', 'Would be sent:', ...formatPlan(plan, terminal, item.onInvalidPac)] : []),
    '',
    ...describeNextStep(file, item, target),
  ]);
}

function describeIssues(digest: IssueDigest, terminal: Session['terminal']): string[] {
  const codes = digest.byCode();
  const total = codes.reduce((sum, { issues }) => sum + issues, 0);
  const { length } = digest.first;
  const all = length < total ? ', all of them with --json' : '';
  return [
    '',
    ...formatIssueCodes(codes, terminal),
    '',
    `Showing ${count(length)} of ${counted(total, 'issue')}${all}:`,
    ...formatIssues(digest.first, terminal),
  ];
}

function describeNextStep(
  file: string,
  { importId, state, accepted, rejected, duplicates = 0 }: ImportItem,
  { kind }: Target,
): string[] {
  if (state === 'rejected' || accepted === 0) return ['Fix the file and validate it again.'];
  // The plan on a temporary emulator ends with it.
  if (kind === 'temporary') return [`To send it: ${nextCommand('import', file, '--simulate')}`];
  const fix = `To fix the rejected rows: ${nextCommand('rejected', importId, '--csv', 'rejected.csv')}`;
  return [`To send it: ${nextCommand('approve', importId)}`, ...(rejected > duplicates ? [fix] : [])];
}
