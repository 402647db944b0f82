// One esbuild run for all functions. An execution environment then reads one file instead of hundreds of modules, which
// would be most of its start-up time.
import { join, resolve } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { cachedFolder } from '../content-cache.ts';
import type { Project } from '../emulator-options.ts';

// CommonJS packages call `require`, which an ES module does not have.
const requireForCommonJs = `import { createRequire as createRequireForBundle } from 'node:module';
const require = createRequireForBundle(import.meta.url);`;

const buildOptions = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  banner: { js: requireForCommonJs },
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'silent',
} satisfies BuildOptions;

/**
 * Bundles the source files of functions, relative to the project's folder or absolute.
 * @param sourcesHash what the functions are made of; the bundles of an earlier start are used where it is the same.
 * @returns the bundle of each source file
 * @throws esbuild's BuildFailure, whose message names file and line
 */
export const bundleFunctions = async (
  entries: readonly string[],
  { root, cacheDirectory }: Project,
  sourcesHash: string,
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map([...new Set(entries)].map((entry, index) => [entry, `function-${index}`] as const));
  if (names.size === 0) return new Map();
  const key = ['bundles', sourcesHash, JSON.stringify(buildOptions), ...names.keys()];
  const folder = await cachedFolder(cacheDirectory, key, async (outdir) => {
    // Loaded here, because a project that has bundles does not need it.
    const { build } = await import('esbuild');
    const entryPoints = [...names].map(([entry, out]) => ({ in: resolve(root, entry), out }));
    await build({ ...buildOptions, entryPoints, outdir, absWorkingDir: root });
  });
  return new Map([...names].map(([entry, name]) => [entry, join(folder, `${name}.mjs`)] as const));
};
