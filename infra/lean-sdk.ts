// What esbuild cannot leave out of an AWS client by itself: the shapes of commands that nobody sends, and its package.json.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** Shapes of a client's commands: `const _hH = "httpHeader"; …; export var GetObjectRequest$ = [3, …, { [_hH]: … }]`. */
const shapesFile = /@aws-sdk[\\/]client-[a-z0-9-]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/;
const packageFile = /@aws-sdk[\\/]client-[a-z0-9-]+[\\/]package\.json$/;

/** For `build` only: `buildSync` knows no plugins. */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup: ({ onLoad }) => {
    onLoad({ filter: shapesFile }, ({ path }) => ({ contents: withPlainKeys(readFileSync(path, 'utf8')) }));
    onLoad({ filter: packageFile }, ({ path }) => ({
      contents: versionOnly(readFileSync(path, 'utf8')),
      loader: 'json',
    }));
  },
};

/**
 * The same module with `{ httpHeader: … }` for `{ [_hH]: … }`, wherever a text constant of the module stands as a key. To
 * esbuild a computed key may act (its `toString`), so that every shape which has one stays in the bundle, needed or not.
 */
export function withPlainKeys(module: string): string {
  const constants = new Map(
    [...module.matchAll(/^const (\w+) = "([^"\\]*)";$/gm)].map(([, name, text]) => [name, text] as const),
  );
  return module.replace(/(?<=[{,] )\[(\w+)\](?=: )/g, (key, name: string) => {
    const text = constants.get(name);
    return text === undefined ? key : JSON.stringify(text);
  });
}

/** A client reads nothing but its version, for the user agent. */
function versionOnly(packageJson: string): string {
  const { version } = JSON.parse(packageJson) as { version: string };
  return JSON.stringify({ version });
}
