// What every command works with: the terminal, the time, the options that all commands share, and a way to its target.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { createTerminal, type OutputStream, type Terminal } from './output/terminal.ts';

/** Options that stand before or after any command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly stack?: string;
  readonly directory: string;
}

/** The process around the commands; tests give one in memory. */
export interface Surroundings {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder against which file names are read. */
  readonly folder: string;
  readonly clock: Clock;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Session {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly options: GlobalOptions;
  readonly env: Surroundings['env'];
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Rejects with the signal's reason when Ctrl-C comes first. */
  wait(milliseconds: number): Promise<void>;
}

export function openSession(surroundings: Surroundings, options: GlobalOptions): Session {
  const { env, folder, clock, signal } = surroundings;
  return {
    terminal: createTerminal(surroundings, env, clock),
    json: options.json === true,
    options,
    env,
    folder,
    clock,
    signal,
    wait: async (milliseconds) => {
      await sleep(milliseconds, undefined, { signal });
    },
  };
}

export function processSurroundings(signal: AbortSignal): Surroundings {
  const { stdout, stderr, env } = process;
  return { stdout, stderr, env, folder: process.cwd(), clock: wallClock, signal };
}
