// Writes the bundles of a BundleRequest, its only argument in JSON. CDK constructs are synchronous and esbuild's
// plugins are not, so this runs as a separate process.
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

export interface BundleRequest {
  /** Entry points relative to `root`, by the names of the bundles without extension. */
  readonly entryPoints: Readonly<Record<string, string>>;
  readonly root: string;
  readonly directory: string;
}

const { entryPoints, root, directory } = JSON.parse(process.argv[2] ?? '') as BundleRequest;
await build({
  ...bundleOptions,
  absWorkingDir: root,
  entryPoints,
  outdir: directory,
  outExtension: { '.js': '.mjs' },
  sourcemap: 'linked',
  sourcesContent: false,
});
