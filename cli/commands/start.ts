// simporter start: runs the pipeline on this machine until Ctrl-C. Its data is kept for the next start.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Command } from 'commander';
import { installation } from '#installation';
import { readState } from '#local/data-folder.ts';
import { functionSettings } from '#shared/runtime/settings.ts';
import { serviceAddress } from '#shared/service/service-texts.ts';
import { runEmulatorWithConsole } from '../console/serve-console.ts';
import { usualSpeed } from '../console/simulator-controls.ts';
import { type CliContext, otherDirectory, resolveDirectory } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { watchChanges } from '../imports/watch-changes.ts';
import type { ServiceAccess } from '../local-pipeline/local-pipeline.ts';
import { parseCount, parseSpeed } from '../options/common-options.ts';
import { printJsonLine } from '../output/json.ts';
import { formatPairs } from '../output/table.ts';
import { shellQuoted, wrap } from '../output/text.ts';
import { type EmulatorInfo, formatSpeed } from '../target/emulator.ts';
import type { Session } from '../target/target.ts';
import { toImportJson } from '../views/import-view.ts';

export const configure: ConfigureCommand = (command, { run }) =>
  addServiceOptions(command)
    .option(
      '--speed <times>',
      'how fast the calendar runs (default: 1440, one day a minute, or as in the last run; ' +
        'unless you set it, it pauses while a person must act)',
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
    if (open && session.prompt !== undefined) openBrowser(endpoints.console ?? '', directory);
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
  { terminal: { paint, width }, folder, options, target }: Session,
  { endpoints, environment, speed }: EmulatorInfo,
): string[] {
  const { simulated, resources } = target;
  const { inboxBucket, resultsBucket, resultsTable } = resources;
  const { console: consoleAddress = '', s3 = '', service = '' } = endpoints;
  // The example has fictional numbers.
  const file = simulated ? relative(folder, join(installation.examples, 'numbers.csv')) : 'FILE.csv';
  const key = `{":number": {"S": "number#${simulated ? '447700900621' : 'NUMBER'}"}}`;
  const running = simulated
    ? 'simporter is running. Nothing leaves this machine: the porting service is a simulator.'
    : `simporter is running. It calls ${service}: numbers are really ported.`;
  return [
    ...wrap(running, width).map((line) => paint(simulated ? 'bold' : 'yellow', line)),
    '',
    'Paste these lines into a second terminal, for the AWS CLI and every AWS SDK:',
    '',
    ...exportsOf({
      ...environment,
      AWS_ENDPOINT_URL: s3,
      INBOX: inboxBucket,
      RESULTS: resultsBucket,
      TABLE: resultsTable,
    }),
    '',
    'Put a file into the inbox, follow it here, and query what happened to a number:',
    '',
    `  aws s3 cp ${shellQuoted(file)} "s3://$INBOX/"`,
    '  aws dynamodb query --table-name "$TABLE" \\',
    "    --key-condition-expression 'pk = :number' \\",
    `    --expression-attribute-values '${key}'`,
    '',
    'The same without the AWS CLI:',
    '',
    `  ${nextCommand('import', shellQuoted(file), '--watch')}`,
    `  ${nextCommand('results', basename(file))}`,
    '',
    ...formatPairs(
      [
        ['console', paint('bold', consoleAddress)],
        ['service', service],
        ...(simulated ? [['calendar', formatSpeed(speed)] as const] : []),
        ['data', options.directory],
      ],
      { paint, indent: 2 },
    ),
    '',
    'Ctrl-C stops it. The data is kept, and the next start continues from there.',
    '',
  ];
}

/** In the order of the lines. The AWS CLI and the SDKs read different names of the region. */
const exported = [
  ['AWS_ENDPOINT_URL'],
  ['AWS_REGION', 'AWS_DEFAULT_REGION'],
  ['AWS_ACCESS_KEY_ID'],
  ['AWS_SECRET_ACCESS_KEY'],
  ['INBOX', 'RESULTS'],
  ['TABLE'],
];

/** One address for all services, the access key, and the names that the examples of the documentation use. */
const exportsOf = (values: Readonly<Record<string, string>>): string[] =>
  exported.map((names) => `  export ${names.map((name) => `${name}=${values[name]}`).join(' ')}`);

/** Prints each change of an import, until the signal. */
async function printChanges(session: Session): Promise<void> {
  const { json, terminal, clock } = session;
  for await (const { item, texts } of watchChanges(session)) {
    const time = terminal.paint('dim', formatTime(clock()));
    if (json) await printJsonLine(session, toImportJson(item));
    else await terminal.lines(texts.map((text) => `${time}  ${text}`));
  }
}

const formatTime = (now: number): string => new Date(now).toISOString().slice(11, 19);

/** Opens an address in the user's browser. Without a terminal the address is only printed. */
const openCommands: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

/**
 * Every user of the machine sees the arguments of a process: the token is in a file that only its owner can read. The
 * file is in the data folder, beside the token itself, and the next start writes it again.
 */
export function openBrowser(address: string, directory: string): void {
  const [command, ...options] = openCommands[process.platform] ?? [];
  if (command === undefined) return;
  const page = join(directory, 'console.html');
  writeFileSync(page, `<meta http-equiv="refresh" content="0; url=${address}">`, { mode: 0o600 });
  const child = spawn(command, [...options, page], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

// The options that replace the simulator with a porting service, and the folder that belongs to it.

interface ServiceOptions {
  readonly service?: string;
  readonly serviceAuth?: string;
  readonly serviceAccount?: string;
  readonly callsPerSecond?: string;
}

const addServiceOptions = (command: Command): Command =>
  command
    .option('--service <url>', 'call this porting service instead of the simulator; numbers are really ported')
    .option('--service-auth <url>', 'where that service issues access tokens')
    .option('--service-account <number>', 'your account number there')
    .option('--calls-per-second <n>', 'the most calls per second (default: 10, or 100 to the simulator)');

/** undefined: the simulator. @throws CliError (usage) if an option or a credential is missing or wrong */
export function readService(options: ServiceOptions, env: CliContext['env']): ServiceAccess | undefined {
  const { service, serviceAuth, serviceAccount } = options;
  if (service === undefined) {
    if (serviceAuth === undefined && serviceAccount === undefined) return undefined;
    throw usageError('--service-auth and --service-account belong to --service.', 'Add --service URL.');
  }
  if (serviceAuth === undefined || serviceAccount === undefined) {
    throw usageError('--service needs --service-auth and --service-account.', 'Name all three.');
  }
  const { SIMPORTER_CLIENT_ID: clientId, SIMPORTER_CLIENT_SECRET: clientSecret } = env;
  if (!clientId || !clientSecret) {
    const advice = 'Set SIMPORTER_CLIENT_ID and SIMPORTER_CLIENT_SECRET. They are kept in no file.';
    throw usageError('--service needs the credentials of your client.', advice);
  }
  return {
    baseUrl: addressOf('--service', service),
    authUrl: addressOf('--service-auth', serviceAuth),
    accountId: parseCount('--service-account', serviceAccount),
    clientId,
    clientSecret,
  };
}

function addressOf(option: string, text: string): string {
  try {
    return serviceAddress(option, text).href.replace(/\/$/, '');
  } catch (error) {
    throw usageError(`${(error as Error).message}.`, `For example: ${option} https://porting.example.net`);
  }
}

const { callsPerSecond: callLimit, submit } = functionSettings;
/** The defaults, as in production: unlike the simulator, a real service is slow and its list may lag. */
const realService = {
  callsPerSecond: JSON.stringify(callLimit.parse(undefined)),
  submit: JSON.stringify(submit.parse({})),
};

/** The settings of the functions that differ from those of the local environment. @throws CliError (usage) */
export const readServiceVariables = (
  { callsPerSecond }: ServiceOptions,
  service: ServiceAccess | undefined,
): Readonly<Record<string, string>> => ({
  ...(service === undefined ? {} : realService),
  ...(callsPerSecond === undefined ? {} : { callsPerSecond: String(parseCount('--calls-per-second', callsPerSecond)) }),
});

const markerOf = (directory: string): string => join(directory, 'porting-service.txt');
const simulator = 'the simulator';

/**
 * A folder holds the imports of one account at one service: the numbers of a simulator were never ported.
 * @throws CliError (usage) if the folder belongs to another one
 */
export async function claimForService(directory: string, service: ServiceAccess | undefined): Promise<void> {
  const name = service === undefined ? simulator : `account ${service.accountId} at ${service.baseUrl}`;
  const earlier = await readOwner(directory);
  if (earlier !== undefined && earlier !== name) {
    const advice = `Name another folder, here and in the other commands: --directory ${otherDirectory}`;
    throw usageError(`The folder ${directory} has imports of ${earlier}.`, advice);
  }
  if (service === undefined) return;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(markerOf(directory), `${name}\n`, { mode: 0o600 });
}

async function readOwner(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(markerOf(directory), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return (await readState(directory)) === undefined ? undefined : simulator;
}
