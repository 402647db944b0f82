// `simporter start` in a separate process tree, which a test can kill all at once.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type EmulatorFile, findRunningEmulator } from '#local/data-folder.ts';
import { descendants } from '../processes.ts';

const main = fileURLToPath(new URL('../../../cli/simporter.mjs', import.meta.url));

export interface EmulatorProcess {
  readonly emulator: EmulatorFile;
  /** Kills the emulator and everything below it, as the loss of the machine would. */
  killAll(): Promise<void>;
  /** Ctrl-C. */
  interrupt(): Promise<void>;
}

/** Waits until `condition` holds; the pause keeps the processor free: a condition is often a whole command. */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value | undefined> | Value | undefined,
  limitMs = 300_000,
): Promise<Value> {
  for (const end = Date.now() + limitMs; Date.now() < end; ) {
    const value = await condition();
    if (value !== undefined) return value;
    await pause(500);
  }
  throw new Error(`It did not happen within ${limitMs} ms: ${what}`);
}

export async function startEmulatorProcess(directory: string, speed: number): Promise<EmulatorProcess> {
  const words = ['--directory', directory, 'start', '--speed', String(speed)];
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errorOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const emulator = await until('the emulator is ready', async () => {
    if (child.exitCode !== null) throw new Error(`The emulator ended at once: ${errorOutput}`);
    const found = await findRunningEmulator(directory);
    return found?.pid === child.pid ? found : undefined;
  });
  return {
    emulator,
    killAll: async () => {
      // The emulator first, so that it cannot clean up after its children.
      for (const pid of [emulator.pid, ...descendants(emulator.pid)]) kill(pid);
      await ended;
    },
    interrupt: async () => {
      child.kill('SIGINT');
      await ended;
    },
  };
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
