// simporter import FILE: uploads a file, and with --watch follows it until nothing more happens without a person.
import { installation } from '#installation';
import type { ImportItem } from '#shared/import/import.ts';
import { readIssues } from '#shared/results/findings.ts';
import { readImportProgress, readRootProgress } from '#shared/results/progress.ts';
import type { CliContext } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';
import type { ConfigureCommand, ExitCode } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import {
  chainExitCode,
  followImport,
  isPlanned,
  isWatchOver,
  openProgress,
  planExitCode,
  uploadImport,
} from '../imports/follow-import.ts';
import { saveReports, saveReportWorkbooks } from '../imports/save-report.ts';
import { readFileSize, type UploadRequest } from '../imports/upload.ts';
import { parseSpeed } from '../options/common-options.ts';
import {
  addUploadOptions,
  createSimulateOption,
  readUploadRequest,
  type UploadOptions,
} from '../options/upload-options.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { withOptionalTarget, withTemporaryEmulator } from '../target/with-target.ts';
import {
  describeChain,
  describeFollowing,
  describeImport,
  describeRejection,
  toChainJson,
  toOutcomeJson,
} from '../views/import-view.ts';
import { createIssueDigest, formatIssueCodes } from '../views/issues-view.ts';

interface ImportOptions extends UploadOptions {
  readonly watch?: boolean;
  readonly simulate?: boolean;
  readonly speed?: string;
  readonly reports?: string;
  readonly workbooks?: boolean;
}

export const configure: ConfigureCommand = (command, { run }) =>
  addUploadOptions(command.argument('<file>', 'a CSV or a workbook (.xlsx)'))
    .option('--watch', 'wait until every port has ended or requires an action')
    .option('--plan-only', 'stop after the plan: nothing is sent until it is approved')
    .option('--reports <folder>', 'write results.csv and rejected.csv there at the end of the watch')
    .option('--workbooks', 'with --reports: also write results.xlsx and rejected.xlsx')
    .addOption(createSimulateOption())
    .option('--speed <times>', 'with --simulate: calendar speed of the simulator')
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
  const counts = await readImportProgress(target, item);
  const chain = await readRootProgress(target, item);
  if (json) await printJson(session, { ...toOutcomeJson(item, counts), ...toChainJson(item, chain) });
  else
    await terminal.lines([
      ...describeImport(session, item, counts, chain.progress),
      ...describeChain(item, chain),
      ...(await describeIssues(session, item)),
      ...written.map((name) => `wrote ${name}`),
    ]);
  if (!json && !watch) for (const step of describeFollowing(item)) terminal.note(step);
  // Without a watch, only the plan is known for certain. A file that is still being read is not an error.
  return watch ? chainExitCode(item, chain) : planExitCode(item);
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
async function describeIssues({ target, terminal }: Session, item: ImportItem): Promise<string[]> {
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
