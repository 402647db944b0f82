// The real command in a separate process, as a shell starts it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { CommandOutcome } from './emulator.ts';

export const mainFile = join(import.meta.dirname, '..', '..', '..', 'cli', 'simporter.mjs');

/** Runs it in `folder`; `env` is added to the test's own environment. */
export const runMain = (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandOutcome> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    execFile(process.execPath, [mainFile, ...words], options, (error, stdout, stderr) => {
      resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr });
    });
  });
