// One esbuild pass over all functions. Handlers run from their sources with no build step of the user's; bundled, an
// execution environment reads one file instead of hundreds of modules, which on two cores is most of its start.
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

export interface FunctionSource {
  readonly name: string;
  /** The source file, relative to `root` or absolute. */
  readonly entry: string;
}

// Packages in CommonJS ask for `require`, which a module does not have.
const requireForCommonJs = `import { createRequire as createRequireForBundle } from 'node:module';
const require = createRequireForBundle(import.meta.url);`;

/**
 * Bundles every source into `directory` with source maps.
 *
 * @returns the bundle of each function, by name.
 * @throws esbuild's BuildFailure, whose message names file and line.
 */
export const bundleFunctions = async (
  sources: readonly FunctionSource[],
  root: string,
  directory: string,
): Promise<ReadonlyMap<string, string>> => {
  const entries = new Map(sources.map(({ entry }, index) => [resolve(root, entry), `function-${index}`] as const));
  if (entries.size === 0) return new Map();
  await build({
    entryPoints: [...entries].map(([input, output]) => ({ in: input, out: output })),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: requireForCommonJs },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  });
  return new Map(
    sources.map(({ name, entry }) => [name, join(directory, `${entries.get(resolve(root, entry))}.mjs`)] as const),
  );
};
