// The local emulator: finds the one that is running, or runs one in this process.
import { existsSync } from 'node:fs';
import { databasesIn, type EmulatorFile, findRunningEmulator, isCalendarPaused } from '#local/data-folder.ts';
import type { ReadClaims } from '#local/http/http-api.ts';
import type { RunningCalendar } from '#local/running-calendar.ts';
import { type CliContext, resolveDirectory } from '../context/cli-context.ts';
import type { ServiceAccess } from '../local-pipeline/simulator-process.ts';
import { emulatorTarget } from './aws-target.ts';
import { createSession, type Session } from './target.ts';

/** The emulator that runs on the folder of the options; undefined when none does. */
export const runningEmulator = async (context: CliContext): Promise<EmulatorFile | undefined> =>
  findRunningEmulator(resolveDirectory(context));

/** Whether the calendar of that emulator is paused. */
export const isEmulatorPaused = async (context: CliContext): Promise<boolean> =>
  isCalendarPaused(resolveDirectory(context));

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
  /** Of the API of the console. */
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
  const { startPipeline } = await import('../local-pipeline/start-pipeline.ts');
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
