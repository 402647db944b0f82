// The local emulator: finds the one that is running, or runs one in this process.
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { databasesIn, type EmulatorFile, findRunningEmulator, isCalendarPaused } from '#local/data-folder.ts';
import type { ReadClaims } from '#local/http/http-api.ts';
import type { RunningCalendar } from '#local/running-calendar.ts';
import type { SyncRunsItem } from '#shared/store/leases.ts';
import { isoTime } from '#shared/text/wording.ts';
import { type CliContext, resolveDirectory } from '../context/cli-context.ts';
import type { ServiceAccess } from '../local-pipeline/local-pipeline.ts';
import { emulatorTarget } from './aws-target.ts';
import { createSession, type Session } from './target.ts';

/** The emulator that runs on the folder of the options; undefined when none does. */
export const runningEmulator = async (context: CliContext): Promise<EmulatorFile | undefined> =>
  findRunningEmulator(resolveDirectory(context));

/** Whether the calendar of that emulator is paused. */
export const isEmulatorPaused = async (context: CliContext): Promise<boolean> =>
  isCalendarPaused(resolveDirectory(context));

/** Less than one more write of every queue and table takes. */
const leastFreeBytes = 1_048_576;

/**
 * Sync records in the table that it fails, which it cannot where the disk of the folder is full.
 * @param recorded what the table has
 */
export async function syncRunsOnDisk(
  directory: string,
  recorded: SyncRunsItem | undefined,
): Promise<SyncRunsItem | undefined> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= leastFreeBytes) return recorded;
  const times = await Promise.all(databasesIn(directory).map((file) => stat(`${file}-wal`).catch(() => undefined)));
  const since = isoTime(Math.max(0, ...times.map((found) => found?.mtimeMs ?? 0)) || Date.now());
  return { unfinished: 0, failing: { since, reason: `the disk of ${directory} is full` } };
}

/** Items and files were deleted: their bytes stay in the databases of that emulator until they are erased. */
export async function eraseDeletedBytes(context: CliContext): Promise<void> {
  const { eraseDeleted } = await import('#local/database.ts');
  for (const file of databasesIn(resolveDirectory(context))) if (existsSync(file)) eraseDeleted(file);
}

export interface EmulatorRequest {
  /** Calendar time divided by wall time. @default - as in the last run on the folder */
  readonly speed: number | undefined;
  /** Keeps the data there. @default - the data ends with the emulator */
  readonly directory?: string;
  /** Web pages that may call the emulator's services, by their origins. @default - none */
  readonly allowedOrigins?: readonly string[];
  /** Who calls the API of the console with a bearer token. @default - every token is declined */
  readonly readClaims?: ReadClaims;
  /** Adds the simulator's controls. @default false */
  readonly sandbox?: boolean;
  /** @default - the simulator */
  readonly service?: ServiceAccess | undefined;
  /** Variables of every function that call the service. @default - those of the local environment */
  readonly serviceVariables?: Readonly<Record<string, string>> | undefined;
}

export interface EmulatorInfo {
  readonly endpoints: Readonly<Record<string, string>>;
  /** The address of the API of the console. */
  readonly apiEndpoint: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** What an AWS client needs, with the access key. */
  readonly environment: Readonly<Record<string, string>>;
  readonly speed: number;
  readonly service: ServiceAccess;
  /** Its time is ahead of the wall clock when the speed is not 1. */
  readonly calendar: RunningCalendar;
}

/** Runs an emulator in this process as long as `use` runs. */
export async function runEmulator<Result>(
  context: CliContext,
  request: EmulatorRequest,
  use: (session: Session, emulator: EmulatorInfo) => Promise<Result>,
): Promise<Result> {
  // Loaded only here: other commands do not need the modules of the emulator.
  const { startPipeline } = await import('../local-pipeline/local-pipeline.ts');
  const report = (line: string): void => context.terminal.note(line);
  const emulator = await startPipeline({ ...request, report, signal: context.signal });
  try {
    const { endpoints, environment, httpApiEndpoints, runningCalendar: calendar } = emulator;
    const target = emulatorTarget(request.directory === undefined ? 'temporary' : 'emulator', emulator);
    const info = {
      endpoints: { ...endpoints },
      outputs: shownOutputs(emulator.outputs),
      service: emulator.service,
      calendar,
      environment,
      apiEndpoint: Object.values(httpApiEndpoints)[0] ?? '',
      speed: calendar.current().speed,
    };
    try {
      return await use(createSession(context, target), info);
    } finally {
      target.close();
    }
  } finally {
    await emulator.stop();
  }
}

/** Without those by which stacks refer to each other, and those that are true of the console on AWS only. */
const shownOutputs = (outputs: EmulatorInfo['outputs']): EmulatorInfo['outputs'] =>
  Object.fromEntries(
    Object.entries(outputs).filter(
      ([name]) => !/^((Exports|Publish)Output|ConsoleUrl|UserPoolId|Analytics|Upload|RefreshConsole)/.test(name),
    ),
  );

// The speed of the calendar in words.

const daySeconds = 86_400;

/** `1,440 times real time: one calendar day a minute` */
export function formatSpeed(speed: number): string {
  if (speed === 0) return 'paused';
  if (speed === 1) return 'in real time';
  return `${speed.toLocaleString('en-GB')} times real time: one calendar day ${every(daySeconds / speed)}`;
}

function every(seconds: number): string {
  if (seconds === 60) return 'a minute';
  if (seconds === 1) return 'a second';
  if (seconds >= 120) return `every ${round(seconds / 60)} minutes`;
  return `every ${round(seconds)} seconds`;
}

const round = (value: number): string => String(Number(value.toPrecision(2)));
