// One engine for a whole suite of command-line tests, on a folder of its own, and the way to run a command against it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { daybreak } from '#cli/daybreak.ts';
import { runCommandLine } from '#cli/program.ts';
import { startEngine } from '#local/engine.ts';
import type { PortingServiceAccess } from '#local/porting-service.ts';
import { acceleratedClock, wallClock } from '#shared/runtime/clock.ts';
import { memoryStream } from './cli-terminal.ts';

export interface CommandOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, in `folder`, as a script would see it. */
export async function runIn(
  folder: string,
  words: readonly string[],
  signal = new AbortController().signal,
): Promise<CommandOutcome> {
  const [out, err] = [memoryStream(), memoryStream()];
  const surroundings = { stdout: out.stream, stderr: err.stream, env: {}, folder, clock: wallClock, signal };
  const exitCode = await runCommandLine(words, surroundings);
  return { exitCode, stdout: out.text(), stderr: err.text() };
}

export interface CommandLineEngine {
  readonly folder: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** What an AWS client needs to work with the engine. */
  readonly environment: Readonly<Record<string, string>>;
  readonly service: PortingServiceAccess | undefined;
  run(...words: string[]): Promise<CommandOutcome>;
  write(name: string, content: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an engine in `folder/.local`, where commands find it, at the beginning of a day of its calendar. */
export async function startCommandLineEngine(
  speed: number,
  { sandbox = false }: { readonly sandbox?: boolean } = {},
): Promise<CommandLineEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'simporter-cli-'));
  const engine = await startEngine({ directory: join(folder, '.local'), speed, memory: true, sandbox });
  await daybreak(acceleratedClock(engine.calendar.origin, engine.calendar.speed), (milliseconds) =>
    sleep(milliseconds),
  );
  return {
    folder,
    outputs: engine.outputs,
    environment: engine.environment,
    service: engine.service,
    run: (...words) => runIn(folder, words),
    write: (name, content) => writeFile(join(folder, name), content),
    stop: async () => {
      await engine.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
