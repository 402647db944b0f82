// An esbuild plugin that removes what esbuild alone must keep of an AWS client: the schemas of unused commands, and its
// package.json.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

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
