import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleOptions } from '#infra/bundle-options.ts';
import { withPlainKeys } from '#infra/lean-sdk.ts';
import { repository } from '../../bench/bundle-size.ts';

const folder = mkdtempSync(join(tmpdir(), 'simporter-lean-sdk-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const moduleOfClient = (client: string, ...path: string[]) =>
  join(repository, 'node_modules', '@aws-sdk', `client-${client}`, ...path);

async function bundled(name: string, contents: string, plugins = bundleOptions.plugins ?? []) {
  const outfile = join(folder, `${name}.mjs`);
  const stdin = { contents, resolveDir: repository };
  await build({ ...bundleOptions, stdin, plugins, minify: false, outfile });
  return (await import(outfile)) as Record<string, unknown>;
}

/** Every shape as text: arrays and objects as they are, what they refer to by its code. */
const textsOf = (shapes: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [
      name,
      JSON.stringify(shape, (_, value) => (typeof value === 'function' ? String(value) : value)),
    ]),
  );

test('a key that is a text constant of the module is written out, and nothing else is changed', () => {
  const constants = 'const _hH = "httpHeader";\nconst _n = 1;\n';
  expect(withPlainKeys(`${constants}var A = [_hH, { [_hH]: _hH, [_hH]: 1 }, { [_n]: 2 }, { [_x]: 3 }];`)).toBe(
    `${constants}var A = [_hH, { "httpHeader": _hH, "httpHeader": 1 }, { [_n]: 2 }, { [_x]: 3 }];`,
  );
});

describe.each(['dynamodb', 'eventbridge', 's3', 'secrets-manager', 'sqs'])('the client of %s', (client) => {
  test('has the same shapes as without the plugin', async () => {
    const all = `export * from ${JSON.stringify(moduleOfClient(client, 'dist-es', 'schemas', 'schemas_0.js'))};`;
    const lean = textsOf(await bundled(`${client}-lean`, all));
    expect(Object.keys(lean).length).toBeGreaterThan(20);
    expect(lean).toEqual(textsOf(await bundled(`${client}-whole`, all, [])));
  });

  test('knows its version still', async () => {
    const file = JSON.stringify(moduleOfClient(client, 'package.json'));
    const { version } = await bundled(`${client}-version`, `export { default as version } from ${file};`);
    expect(version).toEqual({ version: expect.stringMatching(/^3\.\d+\.\d+$/) });
  });
});
