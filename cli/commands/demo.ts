// simporter demo: imports an example file with valid, invalid and questionable rows on a temporary emulator with a fast
// calendar, follows it to its end, and shows the results.
import { join, relative } from 'node:path';
import { installation } from '#installation';
import { defaultSettings } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { type ListedAction, readActionList } from '#shared/results/actions.ts';
import type { ImportProgress } from '#shared/results/answers.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { readIssues } from '#shared/results/read-issues.ts';
import { createOutcomeTally, type OutcomeTally, openResults } from '#shared/results/results.ts';
import { dateInZone } from '#shared/row/calendar-date.ts';
import type { Issue } from '#shared/row/issue.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { counted } from '#shared/text/wording.ts';
import { type CliContext, waitFor } from '../context/cli-context.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { followImport, isWatchOver, openProgress, uploadImport } from '../imports/follow-import.ts';
import { saveReports } from '../imports/save-report.ts';
import { printJson } from '../output/json.ts';
import { plain } from '../output/text.ts';
import { formatSpeed, runEmulator } from '../target/emulator.ts';
import type { Session } from '../target/target.ts';
import { formatActions, toActionJson } from '../views/actions-view.ts';
import { formatIssues } from '../views/file-view.ts';
import { describeImport, formatOutcomes, toOutcomeJson } from '../views/import-view.ts';

/** A day takes four seconds, so that a port completes during the demo. */
const speed = 21_600;
/** Of the ports, so that the demo takes a minute: one that is not at its end by then is shown as it is. */
const timeoutMs = 45_000;
const example = join(installation.examples, 'demo.csv');
const shownRows = 12;

/** The path as the user types it. */
const exampleFile = relative(process.cwd(), join(installation.examples, 'create-port.csv'));

const nextSteps = [
  [installation.startCommand, 'run it until Ctrl-C'],
  [nextCommand('validate', exampleFile), 'validate a file; nothing is sent'],
  [nextCommand('import', exampleFile, '--watch'), 'import and follow it'],
  [`${installation.command} --help`, 'every command'],
] as const;

const longestStep = Math.max(...nextSteps.map(([command]) => command.length));

export const configure: ConfigureCommand = (command, { run }) =>
  command
    .option('--reports <folder>', 'where to write results.csv and rejected.csv', 'reports/demo')
    .action(run<[{ reports: string }]>((context, { reports }) => runDemo(context, reports)));

function runDemo(context: CliContext, folder: string) {
  const { clock, json, terminal } = context;
  const note = json ? () => undefined : terminal.note;
  note('Starting S3, SQS, DynamoDB, the functions and a porting simulator on this machine.');
  return runEmulator(context, { speed }, async (session, { calendar }) => {
    const startedAt = clock();
    note(`Importing examples/demo.csv. The calendar runs ${formatSpeed(speed)}.`);
    await waitForNextDay(calendar.now, context.wait);
    const item = await importExample(session);
    const outcome = await readOutcome(session, item, folder);
    const seconds = Math.round((clock() - startedAt) / 100) / 10;
    if (json) await printJson(session, { ...toDemoJson(item, outcome), seconds });
    else await terminal.lines(describeDemo(session, item, outcome));
    // Rejected rows and required actions are part of the demo.
    return exitCodes.done;
  });
}

async function importExample(session: Session): Promise<ImportItem> {
  const progress = openProgress(session);
  const request = { file: example, operation: 'create-port', settings: defaultSettings };
  const started = await uploadImport(session, request, progress);
  return followImport(session, started, demoEnd(session.clock), progress);
}

/** Whether nothing more is awaited. The time of the ports begins once all are sent, however slow the machine is. */
export function demoEnd(clock: Clock): (item: ImportItem) => boolean {
  let sentAt = Number.POSITIVE_INFINITY;
  return (item) => {
    if (item.state === 'in-progress') sentAt = Math.min(sentAt, clock());
    return isWatchOver(item) || clock() > sentAt + timeoutMs;
  };
}

interface DemoOutcome {
  readonly progress: ImportProgress;
  readonly outcomes: OutcomeTally;
  /** The lines that ended without success, by what the service answered. */
  readonly cancelled: ReadonlyMap<string, readonly number[]>;
  readonly rejected: readonly Issue[];
  readonly actionRequired: readonly ListedAction[];
  readonly reports: readonly string[];
}

async function readOutcome(session: Session, item: ImportItem, folder: string): Promise<DemoOutcome> {
  const { target } = session;
  const rejected: Issue[] = [];
  for await (const issue of readIssues(target, item)) if (issue.severity === 'error') rejected.push(issue);
  const outcomes = createOutcomeTally();
  const cancelled = new Map<string, number[]>();
  const { batches } = await openResults(target, item);
  for await (const rows of batches) {
    for (const { line, result } of rows) {
      outcomes.add(result);
      if (result.outcome !== 'cancelled') continue;
      const lines = cancelled.get(result.message) ?? [];
      cancelled.set(result.message, [...lines, line]);
    }
  }
  const progress = await readImportProgress(target, item);
  const { entries } = await readActionList(target, session.clock());
  const reports = await saveReports(session, item, folder);
  return { progress, outcomes, cancelled, rejected, actionRequired: entries, reports };
}

const toDemoJson = (item: ImportItem, { progress, outcomes, rejected, actionRequired, reports }: DemoOutcome) => ({
  import: toOutcomeJson(item, progress),
  outcomes: outcomes.counts(),
  rejected,
  actionRequired: actionRequired.map(toActionJson),
  reports,
});

function describeDemo(
  session: Session,
  item: ImportItem,
  { progress, outcomes, cancelled, rejected, actionRequired, reports }: DemoOutcome,
): string[] {
  const { terminal } = session;
  const heading = (text: string): string[] => ['', terminal.paint('bold', text)];
  const more = rejected.length - shownRows;
  // The emulator ends here, so no command can follow on this import.
  const actions = actionRequired.map((entry) => ({ ...entry, solution: null }));
  return [
    '',
    ...describeImport(session, item, progress),
    ...heading('Result of every row'),
    ...formatOutcomes(outcomes, terminal),
    ...heading('Cancelled rows, and why'),
    ...[...cancelled].map(([message, lines]) => `  line ${lines.join(', ')}: ${plain(message)}`),
    ...heading('Rejected rows, and why'),
    ...formatIssues(rejected.slice(0, shownRows), terminal),
    ...(more > 0 ? [`and ${counted(more, 'more issue')} in rejected.csv`] : []),
    ...heading('Action required, the most urgent first'),
    ...formatActions(actions, terminal, shownRows),
    ...heading('Written'),
    ...reports.map((name) => `  ${name}`),
    ...heading('Next'),
    ...nextSteps.map(([command, purpose]) => `  ${command.padEnd(longestStep)}  ${purpose}`),
  ];
}

const zone = 'Europe/London';
const pollMs = 25;

/** Resolves when the next day of the calendar has begun. */
export async function waitForNextDay(calendar: Clock, wait: (milliseconds: number) => Promise<void>): Promise<void> {
  const today = () => dateInZone(calendar(), zone);
  const before = today();
  await waitFor({ clock: calendar, wait }, async () => today() !== before || undefined, { firstMs: pollMs });
}
