// simporter as an installed package: the stacks and the functions were built when the package was made
// (packages/build.ts), so neither the CDK nor esbuild is needed.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { userCache } from '#local/content-cache.ts';
import type { Template } from '#local/template/template.ts';
import type { Installation } from './installation.ts';

const root = dirname(createRequire(import.meta.url).resolve('#package.json'));
const functions = join(root, 'dist', 'functions');

/** Functions by the source file that their template names. */
const bundles = new Map(
  readdirSync(functions).map((name) => [`functions/${name}/entry.ts`, join(functions, name, 'index.mjs')] as const),
);

export const installation: Installation = {
  command: 'npx simporter',
  startCommand: 'npx simporter start',
  examples: join(root, 'examples'),
  buildConsole: async () => join(root, 'dist', 'console'),
  simulatorProgram: join(root, 'dist', 'simulator-program.js'),
  project: {
    root,
    entryMetadata: 'simporter:entry',
    sources: ['package.json'],
    entries: [],
    bundles,
    // Where the user has no private folder: beside the code itself, where only its owner can write.
    cacheDirectory: userCache('simporter') ?? join(root, '.cache'),
  },
  readStacks: async () =>
    JSON.parse(await readFile(join(root, 'dist', 'local-templates.json'), 'utf8')) as readonly Template[],
};
