// Code that a function loads only when it needs it is a separate bundle beside the function's own, so that it costs
// nothing at a cold start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Source files that are imported with `import()`, by the names of their bundles. */
const separateFiles: Readonly<Record<string, string>> = {
  'read-workbook': 'shared/workbook/read-workbook.ts',
  'parse-record': 'shared/csv/parse-record.ts',
};
/** The functions that read uploads. */
const functionsWithFiles = ['ingest', 'report'];

/** The entry points of the separate bundles of a function of the repository at `root`. */
export function separateEntryPoints(root: string, functionName: string): Record<string, string> {
  if (!functionsWithFiles.includes(functionName)) return {};
  const files = Object.entries(separateFiles).filter(([, file]) => existsSync(join(root, file)));
  return Object.fromEntries(files.map(([name, file]) => [`${functionName}/${name}`, file]));
}

export const loadSeparately: Plugin = {
  name: 'load-separately',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      const name = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length);
      return kind === 'dynamic-import' && name in separateFiles ? { path: `./${name}.mjs`, external: true } : undefined;
    });
  },
};
