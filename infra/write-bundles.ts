// Bundles functions with esbuild, for a deployment and for the local emulator.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** Schemas of a client: `const _hH = "httpHeader"; …; export var GetObjectRequest$ = [3, …, { [_hH]: … }]`. */
const schemasFile = /@aws-sdk[\\/]client-[a-z0-9-]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/;
const packageFile = /@aws-sdk[\\/]client-[a-z0-9-]+[\\/]package\.json$/;

/** Works with esbuild's `build` only: `buildSync` supports no plugins. */
export const shrinkAwsSdk: Plugin = {
  name: 'shrink-aws-sdk',
  setup: ({ onLoad }) => {
    onLoad({ filter: schemasFile }, ({ path }) => ({ contents: inlineKeys(readFileSync(path, 'utf8')) }));
    onLoad({ filter: packageFile }, ({ path }) => ({
      contents: versionOnly(readFileSync(path, 'utf8')),
      loader: 'json',
    }));
  },
};

/**
 * Writes `{ httpHeader: … }` for `{ [_hH]: … }` wherever a string constant of the module is a key. A computed key may
 * have a side effect (its `toString`), so esbuild keeps every schema that has one, used or not.
 */
export function inlineKeys(module: string): string {
  const constants = new Map(
    [...module.matchAll(/^const (\w+) = "([^"\\]*)";$/gm)].map(([, name, text]) => [name, text] as const),
  );
  return module.replace(/(?<=[{,] )\[(\w+)\](?=: )/g, (key, name: string) => {
    const text = constants.get(name);
    return text === undefined ? key : JSON.stringify(text);
  });
}

/** A client reads only its version, for the User-Agent header. */
function versionOnly(packageJson: string): string {
  const { version } = JSON.parse(packageJson) as { version: string };
  return JSON.stringify({ version });
}

/** Credential providers that the SDK loads only where the environment has no credentials: on Lambda it always has. */
const unusedCredentialProviders = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** Minified without `keepNames`: errors set their own names, and stack traces use the source map. */
export const bundleOptions: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // The ESM builds can be tree-shaken, the CommonJS builds cannot.
  mainFields: ['module', 'main'],
  external: [...unusedCredentialProviders],
  // What is loaded by `import()` is in separate files, so that it costs nothing at a cold start.
  splitting: true,
  plugins: [shrinkAwsSdk],
  minify: true,
  // Written beside the bundle, as index.mjs.LEGAL.txt, so that Lambda does not load them.
  legalComments: 'external',
  // Dependencies in CommonJS call `require` for Node's built-in modules.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  logLevel: 'error',
};

/** What to bundle. */
export interface BundleRequest {
  /** The folder that the source files are relative to. */
  readonly root: string;
  /** The source file of each function, by its name. */
  readonly entries: Readonly<Record<string, string>>;
  readonly directory: string;
}

/**
 * Writes `<directory>/<name>/index.mjs` for each function, the files that it loads, and their source maps. One function
 * at a time: what several functions share would be whole in each of them, used or not.
 * @throws esbuild's BuildFailure, whose message names file and line
 */
export async function writeBundles({ root, entries, directory }: BundleRequest): Promise<void> {
  for (const [name, entry] of Object.entries(entries)) {
    await build({
      ...bundleOptions,
      absWorkingDir: root,
      entryPoints: { index: resolve(root, entry) },
      outdir: resolve(directory, name),
      outExtension: { '.js': '.mjs' },
      sourcemap: 'linked',
      sourcesContent: false,
    });
  }
}

// CDK constructs are synchronous and esbuild's plugins are not, so bundle.ts runs this file as a separate process.
if (process.argv[1] === import.meta.filename) await writeBundles(JSON.parse(process.argv[2] ?? '') as BundleRequest);
