// simporter validate FILE: validates a file and shows what it would send; nothing is sent.

import type { ImportItem } from '#shared/import/import.ts';
import { readIssues } from '#shared/results/findings.ts';
import { readPlanGroups } from '#shared/results/progress.ts';
import { count, counted } from '#shared/text/wording.ts';
import type { CliContext } from '../context/cli-context.ts';
import type { ConfigureCommand, ExitCode } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { followImport, isPlanned, openProgress, planExitCode, uploadImport } from '../imports/follow-import.ts';
import { readFileSize } from '../imports/upload.ts';
import { parseCount } from '../options/common-options.ts';
import {
  addUploadOptions,
  createSimulateOption,
  readUploadRequest,
  type UploadOptions,
} from '../options/upload-options.ts';
import { printJsonWithArray } from '../output/json.ts';
import { plain, wrap } from '../output/text.ts';
import type { Session, Target } from '../target/target.ts';
import { withOptionalTarget, withTemporaryEmulator } from '../target/with-target.ts';
import { describeRejected } from '../views/import-view.ts';
import { createIssueDigest, formatIssueCodes, formatIssues, type IssueDigest } from '../views/issues-view.ts';
import { formatPlan } from '../views/plan-view.ts';

interface ValidateOptions extends UploadOptions {
  readonly first: string;
  readonly simulate?: boolean;
}

export const configure: ConfigureCommand = (command, { run }) =>
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
    if (session.json) await print(session, item);
    else await show(session, item, { file: plain(file), first });
    return planExitCode(item);
  };
  const exitCode = options.simulate ? undefined : await withOptionalTarget(context, validateFile);
  if (exitCode !== undefined) return exitCode;
  const { note, notePaint } = context.terminal;
  if (!options.simulate) note(notePaint('yellow', 'No emulator is running, and no stack was named.'));
  note('The file is validated against the reference data of a SIMULATOR, not against your account.');
  return withTemporaryEmulator(context, 1, validateFile);
}

async function print(session: Session, item: ImportItem): Promise<void> {
  const { target } = session;
  const { importId, state, rows, accepted, rejected, warnings, requestCount: requests } = item;
  const plan = await readPlanGroups(target, importId);
  const head = { importId, state, rows, accepted, rejected, warnings, requests, plan };
  return printJsonWithArray(session, head, 'issues', readIssues(target, item));
}

interface Validation {
  readonly file: string;
  /** How many issues to show one by one. */
  readonly first: number;
}

async function show({ target, terminal }: Session, item: ImportItem, { file, first }: Validation): Promise<void> {
  const { rows, accepted, rejected, requestCount, state } = item;
  const digest = createIssueDigest(first);
  for await (const issue of readIssues(target, item)) digest.add(issue);
  const verdict =
    `${file}: ${counted(rows, 'row')}, ${[`${count(accepted)} accepted`, ...describeRejected(item)].join(', ')}; ` +
    `${counted(requestCount, 'request')} would be sent.`;
  const isClean = rejected === 0 && state !== 'rejected';
  const plan = await readPlanGroups(target, item.importId);
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
