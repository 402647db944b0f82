// simporter start: the whole pipeline on this machine, until Ctrl-C. Its data stays for the next start.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { readState } from '#local/directory.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { CommandContext } from '../command-context.ts';
import { describeChange } from '../describe-change.ts';
import { exitCodes } from '../exit-code.ts';
import { hint } from '../hint.ts';
import { printJsonLine } from '../output/json.ts';
import { formatPairs } from '../output/table.ts';
import { readSpeed } from '../read-number.ts';
import type { Session } from '../session.ts';
import { importJsonOf } from '../show-import.ts';
import { speedText } from '../speed-text.ts';
import { type EngineFacts, type Target, withEngine } from '../target.ts';

export const startCommand = ({ action }: CommandContext): Command =>
  new Command('start')
    .description('Run the whole pipeline on this machine, with a porting service to rehearse against, until Ctrl-C.')
    .option(
      '--speed <times>',
      'how much faster the calendar runs (default: 1440, one day a minute; else as in the last run)',
    )
    .action(
      action<[{ speed?: string }]>(async (session, options) => {
        const directory = resolve(session.folder, session.options.directory);
        const speed = await speedOf(directory, options.speed);
        return withEngine({ speed, directory, signal: session.signal }, async (target, engine) => {
          if (session.json) await printJsonLine(session.terminal, factsJson(engine));
          else await session.terminal.lines(welcome(session, target, engine));
          await tell(session, target);
          return exitCodes.done;
        });
      }),
    );

const factsJson = ({ endpoints, outputs, speed }: EngineFacts) => ({ endpoints, outputs, speed });

/** A day a minute on a new folder; on one that has a calendar, time goes on as it did. */
async function speedOf(directory: string, given: string | undefined): Promise<number | undefined> {
  if (given !== undefined) return readSpeed(given);
  return (await readState(directory)) === undefined ? 1_440 : undefined;
}

function welcome({ terminal, options }: Session, { resources }: Target, { endpoints, speed }: EngineFacts): string[] {
  const { paint } = terminal;
  const pairs = formatPairs(
    [
      ['inbox', `s3://${resources.inboxBucket}/create-port/`],
      ...Object.entries(endpoints),
      ['calendar', speedText(speed)],
      ['data', options.directory],
    ],
    { paint, indent: 2 },
  );
  return [
    paint('bold', 'simporter runs. Nothing leaves this machine: the porting service is the one of this repository.'),
    '',
    ...pairs,
    '',
    'Drop a file and follow it:',
    `  ${hint('import examples/create-port.csv --watch')}`,
    'or with the AWS CLI:',
    '  AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_REGION=eu-west-2 \\',
    `  aws --endpoint-url ${endpoints.s3} s3 cp examples/create-port.csv s3://${resources.inboxBucket}/create-port/`,
    'Then ask what happened:',
    `  ${hint('results create-port.csv')}`,
    '',
    'Ctrl-C stops it; the data stays, and the next start goes on where this one ended.',
    '',
  ];
}

const lookEveryMs = 1_000;
const looked = 50;

/** One line for each thing that happens to an import, until the signal. */
async function tell(session: Session, target: Target): Promise<void> {
  const known = new Map<string, ImportItem>();
  const look = () => target.imports.list(target.resources.account, { limit: looked });
  // What a former run has told already is not told again.
  for (const item of await look()) known.set(item.importId, item);
  while (!session.signal.aborted) {
    for (const item of (await look()).reverse()) {
      const change = describeChange(known.get(item.importId), item);
      known.set(item.importId, item);
      if (change === undefined) continue;
      if (session.json) await printJsonLine(session.terminal, importJsonOf(item));
      else await session.terminal.lines([`${session.terminal.paint('dim', timeOf(session))}  ${change}`]);
    }
    await session.wait(lookEveryMs).catch(() => undefined);
  }
}

const timeOf = ({ clock }: Session): string => new Date(clock()).toISOString().slice(11, 19);
