// `simporter start` in a process tree of its own, which a test can kill the hard way, all of it at once.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

const runningEngine = z.object({
  pid: z.int(),
  endpoints: z.object({ secretsManager: z.url() }),
  outputs: z.record(z.string(), z.string()),
  service: z.object({ baseUrl: z.url(), authUrl: z.url(), accountId: z.int() }),
});
export type RunningEngine = z.infer<typeof runningEngine>;

export interface EngineProcess {
  readonly engine: RunningEngine;
  /** Kills the engine and everything below it, as the loss of the machine would. */
  killAll(): Promise<void>;
  /** Ctrl-C. */
  interrupt(): Promise<void>;
}

/** Waits until `condition` holds; the pause only keeps the processor free. */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value | undefined> | Value | undefined,
  limitMs = 150_000,
): Promise<Value> {
  for (const end = Date.now() + limitMs; Date.now() < end; ) {
    const value = await condition();
    if (value !== undefined) return value;
    await pause(100);
  }
  throw new Error(`It did not happen within ${limitMs} ms: ${what}`);
}

export async function startEngineProcess(directory: string, speed: number): Promise<EngineProcess> {
  const words = ['--directory', directory, 'start', '--speed', String(speed)];
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const engine = await until('the engine is up', () => {
    if (child.exitCode !== null) throw new Error(`The engine ended at once: ${complaints}`);
    return readEngineFile(directory, child.pid as number);
  });
  return {
    engine,
    killAll: async () => {
      // The engine first: it must not see its children die and tidy up.
      for (const pid of [engine.pid, ...descendants(engine.pid)]) kill(pid);
      await ended;
    },
    interrupt: async () => {
      child.kill('SIGINT');
      await ended;
    },
  };
}

function readEngineFile(directory: string, pid: number): RunningEngine | undefined {
  const path = join(directory, 'engine.json');
  if (!existsSync(path)) return undefined;
  const engine = runningEngine.parse(JSON.parse(readFileSync(path, 'utf8')));
  return engine.pid === pid ? engine : undefined;
}

/** Every process below `ancestor`, whatever its process group. */
export function descendants(ancestor: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : undefined;
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const below = (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)]);
  return below(ancestor);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
