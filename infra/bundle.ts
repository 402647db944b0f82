// Bundles the code of the functions with esbuild: all functions in one pass, and only where the code is needed.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { separateEntryPoints } from './separate-bundles.ts';
import type { BundleRequest } from './write-bundles.ts';

/** The steps of the pipeline in their order, and announce, which publishes events. */
export const pipelineFunctions = ['ingest', 'submit', 'sync', 'report', 'announce'] as const;
/** The API of the console: what reads, and what writes. */
export const apiFunctions = ['api-read', 'api-write'] as const;
export const functionNames = [...pipelineFunctions, ...apiFunctions, 'simulator'] as const;
export type FunctionName = (typeof functionNames)[number];

/** Returns the code of one function. */
export type FunctionCode = (name: FunctionName) => Code;

const repository = dirname(dirname(fileURLToPath(import.meta.url)));

/** The source file of a function's handler, relative to the repository. */
export const entryOf = (name: FunctionName): string =>
  name === 'simulator' ? 'simulator/entry.ts' : `functions/${name}/entry.ts`;

/**
 * The code of the functions `names` of `stack`: bundles in the folder of the cloud assembly. Where bundling is disabled
 * (`aws:cdk:bundling-stacks`) it is one line of inline code: tests and the emulator read only the template.
 */
export function functionCode(stack: Stack, names: readonly FunctionName[]): FunctionCode {
  if (!stack.bundlingRequired) return () => Code.fromInline('exports.handler = async () => {};');
  const directory = join(Stage.of(stack)?.outdir ?? 'cdk.out', '.functions');
  bundleFunctions(repository, directory, names);
  return (name) => Code.fromAsset(join(directory, name));
}

/**
 * Writes `<directory>/<name>/index.mjs` and its source map for each function of the repository at `root`,
 * and the bundles that it loads separately.
 * @throws Error that names a missing `entry.ts`
 */
export function bundleFunctions(root: string, directory: string, names: readonly FunctionName[]): void {
  for (const name of names) {
    if (existsSync(join(root, entryOf(name)))) continue;
    throw new Error(`${entryOf(name)} is missing: each function has one, and it exports "handler".`);
  }
  const request: BundleRequest = {
    entryPoints: Object.assign(
      Object.fromEntries(names.map((name) => [`${name}/index`, entryOf(name)])),
      ...names.map((name) => separateEntryPoints(root, name)),
    ),
    root,
    directory: resolve(directory),
  };
  execFileSync(process.execPath, [join(repository, 'infra', 'write-bundles.ts'), JSON.stringify(request)]);
}
