// Programs that end with the emulator, even when it gets a `kill -9`: each has a channel to it, and ends when that is
// closed, for whatever reason.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

export interface ChildProgram {
  readonly child: ChildProcess;
  /** Resolves with the exit code when the program has ended. */
  readonly exited: Promise<number | null>;
  /** Asks the program to end, and kills it after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Starts a program of Node that ends when its channel is closed; stdout and stderr are pipes on `child`. */
export const startProgram = (file: string, words: readonly string[], environment: Environment): ChildProgram => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...words], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In its own session: Ctrl-C in the terminal is for the emulator, which then ends the program.
    detached: true,
    windowsHide: true,
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    exited,
    stop: async (graceMs = 10_000) => {
      if (child.connected) child.disconnect();
      const grace = new AbortController();
      await Promise.race([
        exited,
        delay(graceMs, undefined, { signal: grace.signal, ref: false }).catch(() => undefined),
      ]);
      grace.abort();
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const guard = createRequire(import.meta.url).resolve('#child-launcher');

/**
 * Starts any program, under a guard that ends it.
 * @param lock a file that the guard locks: the program of an emulator that was killed has ended when the next one runs
 */
export const startChild = (
  program: string,
  words: readonly string[],
  environment: Environment,
  lock = '',
): ChildProgram => startProgram(guard, [lock, program, ...words], environment);

// Keeps a program running: when it ends by itself it is started again, after a pause that doubles while it keeps
// ending.

interface KeepRunningOptions<Process extends ChildProgram> {
  readonly name: string;
  start(): Promise<Process>;
  /** Called after each restart, before it is reported. */
  readonly restarted?: (process: Process) => Promise<void>;
  /** Takes what a person should know. */
  readonly report: (line: string) => void;
}

export interface KeptRunning<Process extends ChildProgram> {
  readonly current: Process;
  stop(): Promise<void>;
}

const shortestPauseMs = 500;
const longestPauseMs = 30_000;
/** A program that ran for so long has recovered: the pause is short again. */
const recoveredAfterMs = 60_000;

/** @throws whatever the first start throws; later ones are retried. */
export const keepRunning = async <Process extends ChildProgram>(
  options: KeepRunningOptions<Process>,
): Promise<KeptRunning<Process>> => {
  const { name, report } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = await options.start();
  let pauseMs = shortestPauseMs;

  const restart = async (): Promise<void> => {
    await delay(pauseMs, undefined, { signal });
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    try {
      current = await options.start();
      await options.restarted?.(current).catch(async (error: unknown) => {
        await current.stop();
        throw error;
      });
      report(`${name} runs again`);
    } catch (error) {
      report(`${name} could not be started: ${String(error)}. The next attempt is in ${pauseMs / 1_000} s`);
      await restart();
    }
  };

  const watch = (async () => {
    while (!signal.aborted) {
      const startedAt = performance.now();
      const code = await current.exited;
      if (signal.aborted) return;
      if (performance.now() - startedAt > recoveredAfterMs) pauseMs = shortestPauseMs;
      report(`${name} ended by itself (exit code ${code}). It is started again in ${pauseMs / 1_000} s`);
      await restart();
    }
  })().catch(() => undefined);

  return {
    get current() {
      return current;
    },
    stop: async () => {
      stopping.abort();
      await current.stop();
      await watch;
      // A start that was under way has ended by now.
      await current.stop();
    },
  };
};
