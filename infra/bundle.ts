// The code of the functions: bundled only where it is needed.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { entryOf, type FunctionCode, type FunctionName } from './function-names.ts';
import type { BundleRequest } from './write-bundles.ts';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));

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
 * Writes the bundles of functions of the repository at `root`.
 * @throws Error that names a missing `entry.ts`
 */
export function bundleFunctions(root: string, directory: string, names: readonly FunctionName[]): void {
  for (const name of names) {
    if (existsSync(join(root, entryOf(name)))) continue;
    throw new Error(`${entryOf(name)} is missing: each function has one, and it exports "handler".`);
  }
  const entries = Object.fromEntries(names.map((name) => [name, entryOf(name)]));
  const request: BundleRequest = { root, entries, directory: resolve(directory) };
  execFileSync(process.execPath, [join(repository, 'infra', 'write-bundles.ts'), JSON.stringify(request)]);
}
