// Code of the functions: one esbuild pass for all of them, and only when the stack is to be deployed or its assets wanted.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { BundlesWanted } from './write-bundles.ts';

/** The stages of the pipeline, in flow order, and who tells others of it. */
export const pipelineFunctions = ['ingest', 'submit', 'sync', 'report', 'announce'] as const;
export const functionNames = [...pipelineFunctions, 'porting-service'] as const;
export type FunctionName = (typeof functionNames)[number];

/** Gives the code of one function. */
export type FunctionCode = (name: FunctionName) => Code;

const repository = dirname(dirname(fileURLToPath(import.meta.url)));

/** The source of a function's handler, relative to the repository. */
export const entryOf = (name: FunctionName): string => `functions/${name}/entry.ts`;

/**
 * The code of the functions `names` for `stack`: bundles below the assembly's folder, or, where bundling is switched off
 * (`aws:cdk:bundling-stacks`), a line of inline code, because tests and the embedded engine only read the template.
 */
export function functionCode(stack: Stack, names: readonly FunctionName[]): FunctionCode {
  if (!stack.bundlingRequired) return () => Code.fromInline('exports.handler = async () => {};');
  const directory = join(Stage.of(stack)?.outdir ?? 'cdk.out', '.functions');
  bundleFunctions(repository, directory, names);
  return (name) => Code.fromAsset(join(directory, name));
}

/**
 * Writes `<directory>/<name>/index.mjs` and its source map for each function of the repository at `root`.
 * @throws Error that names an `entry.ts` which is missing
 */
export function bundleFunctions(root: string, directory: string, names: readonly FunctionName[]): void {
  for (const name of names) {
    if (existsSync(join(root, entryOf(name)))) continue;
    throw new Error(`${entryOf(name)} is missing: each function has one, and it exports "handler".`);
  }
  const wanted: BundlesWanted = {
    entryPoints: Object.fromEntries(names.map((name) => [`${name}/index`, entryOf(name)])),
    root,
    directory: resolve(directory),
  };
  execFileSync(process.execPath, [join(repository, 'infra', 'write-bundles.ts'), JSON.stringify(wanted)]);
}
