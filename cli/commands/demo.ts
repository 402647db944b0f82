// simporter demo: everything in one minute. An engine of its own, one file with good, broken and doubtful rows, followed
// on a fast calendar until nothing more happens by itself; then what a user wants to know of it.
import { join } from 'node:path';
import { Command } from 'commander';
import type { Issue } from '#shared/domain/issue.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { readAttention } from '../attention.ts';
import type { CommandContext } from '../command-context.ts';
import { daybreak } from '../daybreak.ts';
import { exitCodes } from '../exit-code.ts';
import { followImport, isSettled, sendFile } from '../follow-import.ts';
import { readIssues } from '../import-objects.ts';
import type { AttentionEntryJson } from '../json-shapes.ts';
import { printJson } from '../output/json.ts';
import { noProgress } from '../output/progress.ts';
import { counted } from '../output/text.ts';
import { saveReports } from '../reports.ts';
import { createOutcomeTally, type OutcomeTally, readResults } from '../results.ts';
import type { Session } from '../session.ts';
import { attentionTables } from '../show-attention.ts';
import { describeImport, outcomeJsonOf } from '../show-import.ts';
import { issuesTable } from '../show-issues.ts';
import { outcomesTable } from '../show-outcomes.ts';
import { speedText } from '../speed-text.ts';
import { type Target, withEngine } from '../target.ts';

/** A day in four seconds: a port's week passes while one looks on. */
const speed = 21_600;
/** The promise is a minute for all of it; what has not settled by then is shown as it stands. */
const longestMs = 45_000;
const example = join(import.meta.dirname, '..', '..', 'examples', 'demo.csv');
const shownRows = 12;

export const demoCommand = ({ action }: CommandContext): Command =>
  new Command('demo')
    .description('See all of it in a minute: an example file from drop to Complete, on an engine of its own.')
    .option('--reports <folder>', 'where results.csv and rejected.csv are written', 'reports/demo')
    .action(
      action<[{ reports: string }]>((session, { reports }) => {
        const say = session.json ? () => undefined : session.terminal.note;
        say('Starting all of it on this machine: S3, SQS, DynamoDB, the functions, and a porting service to talk to.');
        return withEngine({ speed, signal: session.signal }, async (target, { calendar }) => {
          const began = session.clock();
          say(`Dropping examples/demo.csv. The calendar runs ${speedText(speed)}.`);
          await daybreak(calendar, session.wait);
          const item = await run(session, target, began + longestMs);
          const outcome = await collect(session, target, item, reports);
          const seconds = Math.round((session.clock() - began) / 100) / 10;
          if (session.json) await printJson(session.terminal, { ...jsonOf(item, outcome), seconds });
          else await session.terminal.lines(tell(session, item, outcome));
          // Rejected rows and ports that wait are what the demo is there to show.
          return exitCodes.done;
        });
      }),
    );

async function run(session: Session, target: Target, deadline: number): Promise<ImportItem> {
  const progress = session.json ? noProgress : session.terminal.progress();
  const order = { file: example, operation: 'create-port', planOnly: false, defaults: {} };
  const begun = await sendFile(session, target, order, progress);
  return followImport(session, target, begun, (item) => isSettled(item) || session.clock() > deadline, progress);
}

interface DemoOutcome {
  readonly outcomes: OutcomeTally;
  readonly rejected: readonly Issue[];
  readonly attention: readonly AttentionEntryJson[];
  readonly reports: readonly string[];
}

async function collect(session: Session, target: Target, item: ImportItem, folder: string): Promise<DemoOutcome> {
  const rejected: Issue[] = [];
  for await (const issue of readIssues(target, item)) if (issue.severity === 'error') rejected.push(issue);
  const outcomes = createOutcomeTally();
  for await (const result of readResults(target, item)) outcomes.add(result);
  return {
    outcomes,
    rejected,
    attention: (await readAttention(target, session.clock())).entries,
    reports: await saveReports(session, target, item, folder),
  };
}

const jsonOf = (item: ImportItem, { outcomes, rejected, attention, reports }: DemoOutcome) => ({
  import: outcomeJsonOf(item),
  outcomes: outcomes.counts(),
  rejected,
  attention,
  reports,
});

function tell(
  { terminal }: Session,
  item: ImportItem,
  { outcomes, rejected, attention, reports }: DemoOutcome,
): string[] {
  const { paint } = terminal;
  const heading = (text: string): string[] => ['', paint('bold', text)];
  const more = rejected.length - shownRows;
  return [
    '',
    ...describeImport(item, terminal, false),
    ...heading('What became of every line'),
    ...outcomesTable(outcomes, terminal),
    ...heading('Rejected rows, and why'),
    ...issuesTable(rejected.slice(0, shownRows), terminal),
    ...(more > 0 ? [`and ${counted(more, 'more finding')} in rejected.csv`] : []),
    ...heading('What needs somebody, the worst first'),
    // The next steps need the engine, which ends here.
    ...attentionTables(
      attention.map((entry) => ({ ...entry, next: null })),
      terminal,
      shownRows,
    ),
    ...heading('Written'),
    ...reports.map((name) => `  ${name}`),
    ...heading('Next'),
    '  npm start                                                        run it until Ctrl-C',
    '  npm run simporter -- validate examples/create-port.csv           judge a file, send nothing',
    '  npm run simporter -- import examples/create-port.csv --watch     send it and follow it',
    '  npm run simporter -- --help                                      every command',
  ];
}
