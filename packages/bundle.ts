// Bundles the JavaScript of the package, with the libraries it uses: an install adds no dependency but the programs for
// the local emulator, which are optional.
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  mainFields: ['module', 'main'],
  conditions: ['packaged'],
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
};

// Libraries in CommonJS call `require`, which an ES module does not have.
const requireForCommonJs = `import { createRequire as createRequireForBundle } from 'node:module';
const require = createRequireForBundle(import.meta.url);`;

/** What the command line runs, on Node 24. */
const programs = {
  cli: 'cli/main.ts',
  'simulator-program': 'simulator/main.ts',
  'environment-main': 'local/lambda/environment-main.ts',
  guard: 'local/guard.ts',
};

/** What users import or require, on Node 20 and newer. */
export const libraries = {
  client: 'packages/client.ts',
  simulator: 'packages/simulator.ts',
  cdk: 'packages/cdk.ts',
} as const;

/** Writes the bundles to `outdir`. Returns the libraries in them, as `name@version`, with their licences. */
export async function bundlePackage(outdir: string): Promise<readonly BundledLibrary[]> {
  const [first, second] = await Promise.all([
    build({
      ...common,
      target: 'node24',
      entryPoints: programs,
      outdir,
      splitting: true,
      chunkNames: 'chunks/[hash]',
      external: ['@duckdb/node-api'],
      banner: { js: requireForCommonJs },
    }),
    build({
      ...common,
      format: 'cjs',
      target: 'node20',
      entryPoints: libraries,
      outdir,
      outExtension: { '.js': '.cjs' },
      external: ['aws-cdk-lib', 'constructs'],
      define: { 'Map.groupBy': 'mapGroupBy', 'import.meta.url': 'importMetaUrl' },
      inject: ['packages/map-group-by.ts', 'packages/import-meta-url.ts'],
    }),
  ]);
  // Jest and older CDK apps require the libraries. One copy of the code serves both: a class must be the same in all.
  for (const name of Object.keys(libraries))
    await writeFile(join(outdir, `${name}.js`), `export * from './${name}.cjs';\n`);
  return bundledLibraries([first.metafile, second.metafile]);
}

export interface BundledLibrary {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The text of its licence, which must be passed on with its code. */
  readonly text: string;
}

function bundledLibraries(metafiles: readonly (Metafile | undefined)[]): BundledLibrary[] {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile?.inputs ?? {}));
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input) ?? []);
  return [...new Set(folders)].toSorted().map(readLibrary);
}

function readLibrary(folder: string): BundledLibrary {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return { name, version, license, text };
}
