// Keeps a program running: when it ends by itself it is started again, after a pause that doubles while it keeps
// ending.
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProgram } from './child-process.ts';

export interface KeepRunningOptions<Process extends ChildProgram> {
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
