// esbuild options of every bundle.
import type { BuildOptions } from 'esbuild';
import { shrinkAwsSdk } from './aws-sdk-tree-shaking.ts';
import { loadSeparately } from './separate-bundles.ts';

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
  plugins: [shrinkAwsSdk, loadSeparately],
  minify: true,
  // Written beside the bundle, as index.mjs.LEGAL.txt, so that Lambda does not load them.
  legalComments: 'external',
  // Dependencies in CommonJS call `require` for Node's built-in modules.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  logLevel: 'error',
};
