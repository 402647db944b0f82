// What the console takes from `shared/` needs nothing that only Node has: else its pages are blank.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';

const root = join(import.meta.dirname, '../..');
const importOfShared = /^import \{([^}]*)\} from '(#shared\/[^']+)'/gm;

/** The values, not the types, that the files of the console import. */
function importsOfConsole(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const file of globFiles('console/**/*.{ts,tsx}', { cwd: root })) {
    for (const [, list = '', from = ''] of readFileSync(join(root, file), 'utf8').matchAll(importOfShared)) {
      const values = list.split(',').map((name) => name.trim().replace(/ as .*/, ''));
      for (const name of values.filter((one) => one !== '' && !one.startsWith('type '))) {
        names.set(from, (names.get(from) ?? new Set()).add(name));
      }
    }
  }
  return names;
}

test('the console loads what it shares with the functions in a browser', async () => {
  const names = importsOfConsole();
  expect(names.size).toBeGreaterThan(5);
  const lines = [...names].map(([from, values], index) => {
    const renamed = [...values].map((name) => `${name} as ${name}${index}`);
    return `export { ${renamed.join(', ')} } from '${from}';`;
  });
  const { outputFiles } = await build({
    stdin: { contents: lines.join('\n'), resolveDir: join(root, 'console') },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'loaded',
    logLevel: 'silent',
  });
  const browser = createContext({ URL, TextDecoder, TextEncoder, crypto });
  const loaded: object = runInContext(`${outputFiles[0]?.text};loaded`, browser);
  expect(Object.keys(loaded)).toHaveLength([...names.values()].reduce((sum, { size }) => sum + size, 0));
});
