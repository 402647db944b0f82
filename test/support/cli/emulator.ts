// One emulator for a file of command-line tests, in a temporary folder, and a way to run a command against it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { waitForNextDay } from '#cli/commands/demo.ts';
import { type ServiceAccess, startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import { runCommandLine } from '#cli/program.ts';
import { dateInZone, weekday } from '#shared/row/calendar-date.ts';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createImports } from '#shared/store/imports.ts';
import { connectionTo } from '../emulator/emulator.ts';
import { until } from '../emulator/start-process.ts';
import { answeringTerminal, memoryStream } from './terminal.ts';

const fourDaysASecond = 4 * 86_400;

export interface CommandOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, in `folder`; its output goes to a pipe. */
export async function runInFolder(
  folder: string,
  words: readonly string[],
  signal = new AbortController().signal,
): Promise<CommandOutcome> {
  const [out, err] = [memoryStream(), memoryStream()];
  const cliProcess = { stdout: out.stream, stderr: err.stream, env: {}, folder, clock: wallClock, signal };
  const exitCode = await runCommandLine(words, cliProcess);
  return { exitCode, stdout: out.text(), stderr: err.text() };
}

/** The same on a terminal, where a person answers every question. */
export async function runOnTerminal(
  folder: string,
  words: readonly string[],
  ...answers: readonly string[]
): Promise<CommandOutcome> {
  const { stdoutText, stderrText, ...streams } = answeringTerminal(...answers);
  const signal = new AbortController().signal;
  const exitCode = await runCommandLine(words, {
    ...streams,
    env: { NO_COLOR: '1' },
    folder,
    clock: wallClock,
    signal,
  });
  return { exitCode, stdout: stdoutText(), stderr: stderrText() };
}

export interface CliEmulator {
  readonly folder: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The environment of an AWS client of the emulator. */
  readonly environment: Readonly<Record<string, string>>;
  readonly service: ServiceAccess | undefined;
  readonly calendar: Clock;
  /** Resolves when the calendar runs at the new speed. */
  changeSpeed(speed: number): Promise<void>;
  /** Skips the days until Monday: nothing happens to a port on a weekend, and a test would wait for its end. */
  skipToMonday(): Promise<void>;
  run(...words: string[]): Promise<CommandOutcome>;
  /** A command that ends with the ports of `file`. Once they are sent, nobody needs the time until their date. */
  runToTheEnd(file: string, ...words: string[]): Promise<CommandOutcome>;
  write(name: string, content: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an emulator in `folder/.local`, where commands find it, at the beginning of a Monday of its calendar. */
export async function startCliEmulator(
  speed: number,
  { sandbox = false, memory = true }: { readonly sandbox?: boolean; readonly memory?: boolean } = {},
): Promise<CliEmulator> {
  const folder = await mkdtemp(join(tmpdir(), 'simporter-cli-'));
  const emulator = await startPipeline({ directory: join(folder, '.local'), speed, memory, sandbox });
  const { now: calendar, current, change } = emulator.runningCalendar;
  const skipToMonday = () => change({ days: (8 - weekday(dateInZone(calendar(), 'Europe/London'))) % 7 });
  await waitForNextDay(calendar, (milliseconds) => sleep(milliseconds));
  await skipToMonday();
  const run = (...words: string[]) => runInFolder(folder, words);
  const changeSpeed = (wanted: number) => change({ speed: wanted });
  const table = new DynamoDBClient(connectionTo(emulator.endpoints.dynamodb, emulator.environment));
  const imports = createImports(documentClient(table), emulator.outputs.ResultsTable ?? '');
  // Not of `status`: the name of a correction means the import that it corrects, which was sent long before.
  const isSent = async (file: string) => {
    const newest = (await imports.list({ limit: 100 })).find(({ key }) => key.endsWith(`/${file}`));
    return (newest && ['in-progress', 'finished', 'rejected'].includes(newest.state)) || undefined;
  };
  return {
    folder,
    outputs: emulator.outputs,
    environment: emulator.environment,
    service: emulator.service,
    calendar,
    changeSpeed,
    skipToMonday,
    run,
    runToTheEnd: async (file, ...words) => {
      const running = run(...words);
      await until(`${file} is sent`, () => isSent(file));
      const before = current().speed;
      await changeSpeed(fourDaysASecond);
      const outcome = await running;
      await changeSpeed(before);
      return outcome;
    },
    write: (name, content) => writeFile(join(folder, name), content),
    stop: async () => {
      table.destroy();
      await emulator.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
