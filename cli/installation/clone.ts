// simporter in a clone of its repository: the stacks and the functions are built from their sources at each start.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWritable, userCache } from '#local/content-cache.ts';
import type { Project } from '#local/emulator-options.ts';
import { buildConsole } from './build-console.ts';
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
