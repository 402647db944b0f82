import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleOptions, inlineKeys } from '#infra/write-bundles.ts';
import { repository } from '../support/infra/bare-clients.ts';

const folder = mkdtempSync(join(tmpdir(), 'simporter-aws-sdk-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const moduleOfClient = (client: string, ...path: string[]) =>
  join(repository, 'node_modules', '@aws-sdk', `client-${client}`, ...path);

async function bundled(name: string, contents: string, plugins = bundleOptions.plugins ?? []) {
  const outfile = join(folder, `${name}.mjs`);
  const stdin = { contents, resolveDir: repository };
  await build({ ...bundleOptions, stdin, plugins, splitting: false, minify: false, outfile });
  return (await import(outfile)) as Record<string, unknown>;
}

/** Every schema as JSON, with functions as their source code. */
const textsOf = (schemas: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      JSON.stringify(schema, (_, value) => (typeof value === 'function' ? String(value) : value)),
    ]),
  );

test('a string constant of the module is inlined where it is a key, and nothing else changes', () => {
  const constants = 'const _hH = "httpHeader";\nconst _n = 1;\n';
  expect(inlineKeys(`${constants}var A = [_hH, { [_hH]: _hH, [_hH]: 1 }, { [_n]: 2 }, { [_x]: 3 }];`)).toBe(
    `${constants}var A = [_hH, { "httpHeader": _hH, "httpHeader": 1 }, { [_n]: 2 }, { [_x]: 3 }];`,
  );
});

describe.each(['dynamodb', 'eventbridge', 's3', 'secrets-manager', 'sqs'])('the client of %s', (client) => {
  test('has the same schemas as without the plugin', async () => {
    const all = `export * from ${JSON.stringify(moduleOfClient(client, 'dist-es', 'schemas', 'schemas_0.js'))};`;
    const shrunk = textsOf(await bundled(`${client}-shrunk`, all));
    expect(Object.keys(shrunk).length).toBeGreaterThan(20);
    expect(shrunk).toEqual(textsOf(await bundled(`${client}-whole`, all, [])));
  });

  test('keeps its version', async () => {
    const file = JSON.stringify(moduleOfClient(client, 'package.json'));
    const { version } = await bundled(`${client}-version`, `export { default as version } from ${file};`);
    expect(version).toEqual({ version: expect.stringMatching(/^3\.\d+\.\d+$/) });
  });
});
