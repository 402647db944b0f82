// Code of the functions: one esbuild pass for all of them, and only when the stack is to be deployed or its assets wanted.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

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

/** Ways to find credentials that are loaded only where the environment holds none: on Lambda it always does. */
const neverLoaded = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** How every bundle is made. Names of classes and functions are not kept: errors name themselves, and traces have the source map. */
export const bundleOptions: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Sources of the ESM builds: they shake down to what is used, where CommonJS is bundled whole.
  mainFields: ['module', 'main'],
  external: [...neverLoaded],
  minify: true,
  legalComments: 'none',
  // Dependencies that are CommonJS call `require` for Node's own modules.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  logLevel: 'error',
};

/**
 * Writes `<directory>/<name>/index.mjs` and its source map for each function of the repository at `root`.
 * @throws Error that names an `entry.ts` which is missing
 */
export function bundleFunctions(root: string, directory: string, names: readonly FunctionName[]): void {
  for (const name of names) {
    if (existsSync(join(root, entryOf(name)))) continue;
    throw new Error(`${entryOf(name)} is missing: each function has one, and it exports "handler".`);
  }
  buildSync({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(names.map((name) => [`${name}/index`, entryOf(name)])),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    sourcemap: 'linked',
    sourcesContent: false,
  });
}
