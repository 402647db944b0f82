// `simporter start` as a process, for measurements of commands and of the API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { startedJson } from '../test/support/cli/json-shapes.ts';

export const program = join(import.meta.dirname, '..', 'cli', 'simporter.mjs');

/** @throws Error when the emulator ends before it takes files */
export async function startEmulator(folder: string, ...options: readonly string[]) {
  const emulator = spawn(process.execPath, [program, 'start', '--json', '--no-open', ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { value = '' } = await createInterface({ input: emulator.stdout })[Symbol.asyncIterator]().next();
  const started = startedJson.parse(JSON.parse(value));
  const [url = '', token = ''] = (started.endpoints.console ?? '').split('/#token=');
  return {
    ...started,
    /** Of the console, with the token of an operator. */
    url,
    token,
    stop: async (): Promise<void> => {
      emulator.kill('SIGINT');
      await once(emulator, 'exit');
    },
  };
}
