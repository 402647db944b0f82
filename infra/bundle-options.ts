// How every bundle is made.
import type { BuildOptions } from 'esbuild';
import { leanSdk } from './lean-sdk.ts';

/** Ways to find credentials that are loaded only where the environment holds none: on Lambda it always does. */
const neverLoaded = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** Names of classes and functions are not kept: errors name themselves, and traces have the source map. */
export const bundleOptions: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Sources of the ESM builds: they shake down to what is used, where CommonJS is bundled whole.
  mainFields: ['module', 'main'],
  external: [...neverLoaded],
  plugins: [leanSdk],
  minify: true,
  legalComments: 'none',
  // Dependencies that are CommonJS call `require` for Node's own modules.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  logLevel: 'error',
};
