// The options of `start` that replace the simulator with a porting service, and the folder that belongs to it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readState } from '#local/data-folder.ts';
import { functionSettings } from '#shared/runtime/settings.ts';
import { serviceAddress } from '#shared/service/service-texts.ts';
import { type CliContext, otherDirectory } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';
import type { ServiceAccess } from '../local-pipeline/simulator-process.ts';
import { parseCount } from './common-options.ts';

export interface ServiceOptions {
  readonly service?: string;
  readonly serviceAuth?: string;
  readonly serviceAccount?: string;
  readonly callsPerSecond?: string;
}

export const addServiceOptions = (command: Command): Command =>
  command
    .option('--service <url>', 'call this porting service instead of the simulator; numbers are really ported')
    .option('--service-auth <url>', 'where it issues access tokens')
    .option('--service-account <number>', 'your account there')
    .option('--calls-per-second <n>', 'the most calls to it (default: 10, 100 to the simulator)');

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
