// Bundles functions at the start. An execution environment then reads a few files instead of hundreds of modules, which
// would be most of its start-up time.
import { join } from 'node:path';
import { cachedFolder } from '../content-cache.ts';
import type { Project } from '../emulator-options.ts';

/**
 * Bundles the source files of functions, relative to the project's folder or absolute.
 * @param sourcesHash what the functions are made of; the bundles of an earlier start are used where it is the same.
 * @returns the bundle of each source file
 * @throws what the project's `bundles` throws
 */
export const bundleFunctions = async (
  sourceFiles: readonly string[],
  { root, cacheDirectory, bundles }: Project,
  sourcesHash: string,
): Promise<ReadonlyMap<string, string>> => {
  if (typeof bundles !== 'function') return bundles;
  const names = new Map([...new Set(sourceFiles)].map((file, index) => [file, `function-${index}`] as const));
  if (names.size === 0) return new Map();
  const entries = Object.fromEntries([...names].map(([file, name]) => [name, file]));
  const folder = await cachedFolder(cacheDirectory, ['bundles', sourcesHash, ...names.keys()], (directory) =>
    bundles({ root, entries, directory }),
  );
  return new Map([...names].map(([file, name]) => [file, join(folder, name, 'index.mjs')] as const));
};
