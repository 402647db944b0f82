// Writes the bundles that its one argument asks for (JSON, a `BundlesWanted`). A process of its own, since constructs are
// made without waiting, and esbuild's plugins are not.
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

export interface BundlesWanted {
  /** The entry points, relative to `root`, by the names of the files to write, without extension. */
  readonly entryPoints: Readonly<Record<string, string>>;
  readonly root: string;
  readonly directory: string;
}

const { entryPoints, root, directory } = JSON.parse(process.argv[2] ?? '') as BundlesWanted;
await build({
  ...bundleOptions,
  absWorkingDir: root,
  entryPoints,
  outdir: directory,
  outExtension: { '.js': '.mjs' },
  sourcemap: 'linked',
  sourcesContent: false,
});
