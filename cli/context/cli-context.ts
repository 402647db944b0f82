// What every command works with: the terminal, the clock, the options that all commands share.
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { createTerminal, type OutputStream, type Terminal } from '../output/terminal.ts';
import { usageError } from './cli-error.ts';

/** Where the local emulator keeps its data. */
export const usualDirectory = '.local';
/** The example of another one. */
export const otherDirectory = '.local-2';

/** Options that may be written before or after any command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly stack?: string | undefined;
  readonly directory: string;
}

/** The path of the emulator's folder, which need not exist. @throws CliError (usage) if it cannot be one */
export function resolveDirectory({ folder, options: { directory } }: CliContext): string {
  const path = resolve(folder, directory);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  // An empty name would be the working directory.
  const problem =
    directory === '' ? 'The name of the folder is empty' : isFile && `"${directory}" is a file, not a folder`;
  if (problem) throw usageError(`--directory: ${problem}.`, `Name a folder: --directory ${otherDirectory}`);
  return path;
}

/** The process around a command, apart from its input and output. */
interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory: relative file names start here. */
  readonly folder: string;
  readonly clock: Clock;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The process that runs a command. Tests pass one in memory. */
export interface CliProcess extends Host {
  /** @default - no person can answer questions */
  readonly stdin?: InputStream | undefined;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

export interface CliContext extends Host, Timing {
  readonly terminal: Terminal;
  readonly json: boolean;
  /** undefined with `--json`, and when input or output is not a terminal. */
  readonly prompt: Prompt | undefined;
  readonly options: GlobalOptions;
  /** The stack was named by an option, not by the environment variable SIMPORTER_STACK. */
  readonly explicitStack: boolean;
}

/** How a command waits. */
interface Timing {
  readonly clock: Clock;
  /** Rejects with the signal's reason when Ctrl-C comes first. */
  wait(milliseconds: number): Promise<void>;
}

export function createContext(cliProcess: CliProcess, options: GlobalOptions): CliContext {
  const { env, folder, clock, signal } = cliProcess;
  return {
    env,
    folder,
    clock,
    signal,
    options: { ...options, stack: options.stack ?? (env.SIMPORTER_STACK || undefined) },
    terminal: createTerminal(cliProcess, env, clock),
    explicitStack: options.stack !== undefined,
    json: options.json === true,
    prompt: options.json ? undefined : createPrompt(cliProcess),
    wait: async (milliseconds) => {
      await sleep(milliseconds, undefined, { signal });
    },
  };
}

/** Pauses between two readings, in milliseconds; each is twice as long as the one before, up to `mostMs`. */
interface Pauses {
  readonly firstMs: number;
  /** @default - all are as long as the first */
  readonly mostMs?: number;
}

interface WaitLimit {
  readonly withinMs: number;
  readonly tooLate: () => Error;
}

/** Reads again and again until there is an answer. @throws the error of the limit; without one it never ends */
export async function waitFor<Answer>(
  { clock, wait }: Timing,
  read: () => Promise<Answer | undefined>,
  { firstMs, mostMs = firstMs }: Pauses,
  limit?: WaitLimit,
): Promise<Answer> {
  const deadline = clock() + (limit?.withinMs ?? 0);
  for (let pauseMs = firstMs; ; pauseMs = Math.min(2 * pauseMs, mostMs)) {
    const answer = await read();
    if (answer !== undefined) return answer;
    if (limit !== undefined && clock() >= deadline) throw limit.tooLate();
    await wait(pauseMs);
  }
}

export function currentProcess(signal: AbortSignal): CliProcess {
  const { stdout, stderr } = process;
  return {
    // Opened only by a command that asks.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env: { ...process.env, USER: process.env.USER ?? machineUser() },
    folder: process.cwd(),
    clock: wallClock,
    signal,
  };
}

/** In containers and services the environment often names no user, and a container may have a user without a name. */
function machineUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

export type InputStream = Readable & { readonly isTTY?: boolean };

interface PromptStreams {
  readonly stdin?: InputStream | undefined;
  readonly stderr: OutputStream;
  readonly signal: AbortSignal;
}

export interface Prompt {
  /** The answer without surrounding spaces. */
  ask(question: string): Promise<string>;
}

/** Whether a person agrees. Where nobody can be asked, whoever called the command has agreed. */
export async function isConfirmed(prompt: Prompt | undefined, question: string): Promise<boolean> {
  const answer = await prompt?.ask(`${question} (y/N)? `);
  return answer === undefined || ['y', 'yes'].includes(answer.toLowerCase());
}

/** undefined when no person can answer: input or output is not a terminal. */
export function createPrompt({ stdin, stderr, signal }: PromptStreams): Prompt | undefined {
  if (stderr.isTTY !== true || stdin?.isTTY !== true) return undefined;
  return {
    ask: async (question) => {
      const { createInterface } = await import('node:readline/promises');
      // The terminal itself edits the line.
      const reader = createInterface({ input: stdin, output: stderr, terminal: false });
      try {
        return (await reader.question(question, { signal })).trim();
      } finally {
        reader.close();
      }
    },
  };
}
