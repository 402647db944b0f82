// Builds the console of a clone from its sources, where no earlier start has built the same ones.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder, hashFiles } from '#local/content-cache.ts';
import type { Project } from '#local/emulator-options.ts';
import { CliError } from '../context/cli-error.ts';

/** What decides the built files: the console takes rules and names from shared/. */
const sources = ['console', 'shared', 'tsconfig.json', 'package-lock.json'];

/** @returns the folder of the built files */
export async function buildConsole({ root, cacheDirectory }: Project): Promise<string> {
  const key = ['console', await hashFiles(root, sources)];
  return cachedFolder(cacheDirectory, key, (folder) => runVite(root, folder));
}

/** In a separate process: Vite reads NODE_ENV of the process, which chooses the production version of React. */
async function runVite(root: string, folder: string): Promise<void> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const config = ['--config', join(root, 'console', 'vite.config.ts'), '--configLoader', 'native'];
  const env = { ...process.env, NODE_ENV: 'production' };
  try {
    await promisify(execFile)(process.execPath, [vite, 'build', ...config, '--outDir', folder, '--logLevel', 'error'], {
      cwd: root,
      env,
    });
  } catch (error) {
    const reason = (error as { readonly stderr?: string }).stderr?.trim() || String(error);
    const advice = 'Install all dependencies with npm ci, then try again.';
    throw new CliError(`The console cannot be built: ${reason}`, { advice, cause: error });
  }
}
