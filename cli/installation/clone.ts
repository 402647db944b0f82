// simporter in a clone of its repository: the stacks and the functions are built from their sources at each start.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cachedFolder, hashFiles, isWritable, userCache } from '#local/content-cache.ts';
import type { Project } from '#local/emulator-options.ts';
import { CliError } from '../context/cli-error.ts';
import type { Installation } from './installation.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const cache = join(root, 'node_modules', '.cache', 'simporter');

const project: Project = {
  root,
  entryMetadata: 'simporter:entry',
  sources: ['infra', 'functions', 'simulator', 'shared', 'cdk.json', 'package-lock.json'],
  entries: ['ingest', 'submit', 'sync', 'report', 'announce', 'api-read', 'api-write'].map(
    (name) => `functions/${name}/entry.ts`,
  ),
  bundles: async (request) => (await import('#infra/write-bundles.ts')).writeBundles(request),
  // Another user may have installed the dependencies.
  cacheDirectory: isWritable(cache) ? cache : (userCache('simporter') ?? cache),
};

export const installation: Installation = {
  command: 'npm run simporter --',
  startCommand: 'npm start',
  examples: join(root, 'examples'),
  buildConsole: () => buildConsole(project),
  simulatorProgram: join(root, 'simulator', 'main.ts'),
  project,
  readStacks: async () => ({ program: 'infra/app.ts', context: { stage: 'local' } }),
};

// The console, built from its sources where no earlier start has built the same ones.

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
