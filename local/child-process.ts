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
