// Bundles the JavaScript of the package, with the libraries it uses: an install adds no dependency but the programs for
// the local emulator, which are optional.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { oldestNode } from './launch.ts';

// Libraries in CommonJS call `require`, which an ES module does not have.
const requireForCommonJs = `import { createRequire as createRequireForBundle } from 'node:module';
const require = createRequireForBundle(import.meta.url);`;

const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: `node${oldestNode}`,
  mainFields: ['module', 'main'],
  conditions: ['packaged'],
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
  external: ['@duckdb/node-api', 'aws-cdk-lib', 'constructs'],
  banner: { js: requireForCommonJs },
} as const satisfies BuildOptions;

/** What the commands run. */
const programs = {
  launch: 'packages/launch.ts',
  cli: 'cli/main.ts',
  'simulator-program': 'simulator/main.ts',
  'environment-main': 'local/lambda/environment-main.ts',
  'child-launcher': 'local/child-launcher.ts',
};

/** What users import. */
export const libraries = {
  client: 'packages/client.ts',
  simulator: 'packages/simulator.ts',
  cdk: 'packages/cdk.ts',
} as const;

/** Writes the bundles to `outdir`. Returns the libraries in them, as `name@version`, with their licences. */
export async function bundlePackage(outdir: string): Promise<readonly BundledLibrary[]> {
  const results = await Promise.all([
    build({ ...common, entryPoints: programs, outdir, splitting: true, chunkNames: 'chunks/[hash]' }),
    // Without shared chunks, which would contain more than the client needs.
    build({ ...common, entryPoints: libraries, outdir }),
  ]);
  return bundledLibraries(results.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
}

export interface BundledLibrary {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The text of its licence, which must be passed on with its code. */
  readonly text: string;
}

function bundledLibraries(inputs: readonly string[]): BundledLibrary[] {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input) ?? []);
  return [...new Set(folders)].toSorted().map(readLibrary);
}

function readLibrary(folder: string): BundledLibrary {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return { name, version, license, text };
}
