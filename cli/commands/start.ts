// simporter start: runs the pipeline on this machine until Ctrl-C. Its data is kept for the next start.
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readState } from '#local/data-folder.ts';
import { usualSpeed } from '../console/calendar-control.ts';
import { runEmulatorWithConsole } from '../console/run-with-console.ts';
import { type CliContext, resolveDirectory } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { watchChanges } from '../imports/watch-changes.ts';
import { parseSpeed } from '../options/common-options.ts';
import {
  addServiceOptions,
  claimForService,
  readService,
  readServiceVariables,
  type ServiceOptions,
} from '../options/service-options.ts';
import { printJsonLine } from '../output/json.ts';
import { formatPairs } from '../output/table.ts';
import type { EmulatorInfo } from '../target/emulator.ts';
import type { Session } from '../target/target.ts';
import { toImportJson } from '../views/import-view.ts';
import { formatSpeed } from '../views/speed-text.ts';

export const configure: ConfigureCommand = (command, { run }) =>
  addServiceOptions(command)
    .option(
      '--speed <times>',
      'speed of the calendar (default: 1440, one day a minute, or as in the last run on the folder; ' +
        'without this option it pauses while a person must act)',
    )
    .option('--no-open', 'do not open the console in a browser')
    .action(run<[StartOptions]>(start));

interface StartOptions extends ServiceOptions {
  readonly speed?: string;
  readonly open: boolean;
}

async function start(context: CliContext, options: StartOptions) {
  const { speed: speedText, open } = options;
  const directory = resolveDirectory(context);
  const service = readService(options, context.env);
  if (service !== undefined && speedText !== undefined) {
    throw usageError('--speed is for the simulator: a porting service runs in real time.', 'Leave --speed out.');
  }
  await claimForService(directory, service);
  const pausesCalendar = service === undefined && speedText === undefined;
  const speed = service === undefined ? await simulatorSpeed(speedText, directory) : 1;
  const serviceVariables = readServiceVariables(options, service);
  const request = { speed, directory, pausesCalendar, service, serviceVariables };
  return runEmulatorWithConsole(context, request, async (session, emulator) => {
    const { endpoints, outputs, environment, speed } = emulator;
    if (session.json) await printJsonLine(session, { endpoints, outputs, environment, speed });
    else await session.terminal.lines(describeEmulator(session, emulator));
    if (open && session.prompt !== undefined) openBrowser(endpoints.console ?? '');
    await printChanges(session);
    return exitCodes.done;
  });
}

/** A folder with data keeps the speed of its last run. */
async function simulatorSpeed(text: string | undefined, directory: string): Promise<number | undefined> {
  if (text !== undefined) return parseSpeed(text);
  return (await readState(directory)) === undefined ? usualSpeed : undefined;
}

function describeEmulator(
  { terminal: { paint }, options, target: { resources, simulated } }: Session,
  { endpoints, environment, speed }: EmulatorInfo,
): string[] {
  const inbox = `s3://${resources.inboxBucket}/create-port/`;
  const { console: consoleAddress = '', ...services } = endpoints;
  const byAddress = Map.groupBy(Object.entries(services), ([, address]) => address);
  const addresses = [...byAddress].map(
    ([address, names]) => [names.map(([name]) => name).join(', '), address] as const,
  );
  // The example has fictional numbers.
  const file = simulated ? 'examples/create-port.csv' : 'FILE.csv';
  return [
    simulated
      ? paint('bold', 'simporter is running. Nothing leaves this machine: the porting service is a simulator.')
      : paint('yellow', `simporter is running. It calls ${services.service}: numbers are really ported.`),
    '',
    `Open the console: ${paint('bold', consoleAddress)}`,
    '',
    ...formatPairs(
      [
        ['inbox', inbox],
        ...addresses,
        ...(simulated ? [['calendar', formatSpeed(speed)] as const] : []),
        ['data', options.directory],
      ],
      { paint, indent: 2 },
    ),
    '',
    'Or import a file and follow it here:',
    `  ${nextCommand('import', file, '--watch')}`,
    'or upload it with the AWS CLI:',
    `  ${['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'].map((name) => `${name}=${environment[name]}`).join(' ')} \\`,
    `  aws --endpoint-url ${endpoints.s3} s3 cp ${file} ${inbox}`,
    'Then show the results:',
    `  ${nextCommand('results', basename(file))}`,
    '',
    'Ctrl-C stops it. The data is kept, and the next start continues from there.',
    '',
  ];
}

/** Prints one line for each change of an import, until the signal. */
async function printChanges(session: Session): Promise<void> {
  const { json, terminal, clock } = session;
  for await (const { item, text } of watchChanges(session)) {
    if (json) await printJsonLine(session, toImportJson(item));
    else await terminal.lines([`${terminal.paint('dim', formatTime(clock()))}  ${text}`]);
  }
}

const formatTime = (now: number): string => new Date(now).toISOString().slice(11, 19);

/** Opens an address in the user's browser. Without a terminal the address is only printed. */
const openCommands: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

/** Every user of the machine sees the arguments of a process: the token is in a file that only its owner can read. */
export function openBrowser(address: string): void {
  const [command, ...options] = openCommands[process.platform] ?? [];
  if (command === undefined) return;
  const page = join(mkdtempSync(join(tmpdir(), 'simporter-')), 'console.html');
  writeFileSync(page, `<meta http-equiv="refresh" content="0; url=${address}">`, { mode: 0o600 });
  const child = spawn(command, [...options, page], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
