import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleFunctions } from '#infra/bundle.ts';
import { entryOf, functionNames, pipelineFunctions } from '#infra/function-names.ts';
import { chunked } from '../support/files/csv-source.ts';
import { workbookFile } from '../support/files/workbook-file.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import { synthesise } from '../support/infra/template.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'simporter-bundle-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const writeEntry = (name: (typeof functionNames)[number], text: string) => {
  mkdirSync(dirname(join(root, entryOf(name))), { recursive: true });
  writeFileSync(join(root, entryOf(name)), text);
};

test('every function is bundled to one module with a source map, which exports its handler', async () => {
  for (const name of functionNames) {
    writeEntry(name, `const answer: string = '${name}';\nexport const handler = async () => answer;\n`);
  }
  bundleFunctions(root, join(root, 'out'), functionNames);
  for (const name of functionNames) {
    const bundle = await import(join(root, 'out', name, 'index.mjs'));
    expect(await bundle.handler()).toBe(name);
    expect(existsSync(join(root, 'out', name, 'index.mjs.map'))).toBe(true);
  }
});

test('legal comments are kept beside the bundle', () => {
  for (const name of functionNames) writeEntry(name, '/*! (c) A author */ export const handler = async () => {};');
  bundleFunctions(root, join(root, 'out'), functionNames);
  expect(readFileSync(join(root, 'out', 'sync', 'index.mjs.LEGAL.txt'), 'utf8')).toContain('(c) A author');
  expect(readFileSync(join(root, 'out', 'sync', 'index.mjs'), 'utf8')).not.toContain('(c) A author');
});

test('a bundled CommonJS dependency can require a built-in module of Node', async () => {
  for (const name of functionNames) writeEntry(name, 'export const handler = async () => {};');
  writeFileSync(join(root, 'functions', 'sync', 'old.cjs'), "module.exports = require('node:path').sep;");
  writeEntry('sync', "import separator from './old.cjs';\nexport const handler = async () => separator;\n");
  bundleFunctions(root, join(root, 'out'), functionNames);
  const bundle = await import(join(root, 'out', 'sync', 'index.mjs'));
  expect(await bundle.handler()).toBe('/');
});

test('a function without an entry is an error that names it', () => {
  for (const name of functionNames.filter((one) => one !== 'sync')) writeEntry(name, 'export const handler = 1;');
  expect(() => bundleFunctions(root, join(root, 'out'), functionNames)).toThrow(
    'functions/sync/entry.ts is missing: each function has one, and it exports "handler".',
  );
});

describe('the bundles of this repository', () => {
  let bundles: string;
  beforeAll(() => {
    bundles = mkdtempSync(join(tmpdir(), 'simporter-bundles-'));
    bundleFunctions(repository, bundles, functionNames);
  });
  afterAll(() => rmSync(bundles, { recursive: true, force: true }));

  test('load with the deployed environment variables', () => {
    const variables = resourcesOf(synthesise('dev'), 'AWS::Lambda::Function')[0]?.[1].Environment.Variables ?? {};
    const deployed = Object.entries<unknown>(variables).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : 'https://deployed.example.net/it',
    ]);
    const script = pipelineFunctions.map(
      (name) => `console.log(typeof (await import('./${name}/index.mjs')).handler);`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script.join('\n')], {
      cwd: bundles,
      env: { AWS_REGION: 'eu-west-2', ...Object.fromEntries(deployed) },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toBe('function\n'.repeat(pipelineFunctions.length));
  });

  test('have code that a function loads when it needs it in files beside them, and only there', async () => {
    const filesOf = (name: string) => readdirSync(join(bundles, name)).filter((file) => file.endsWith('.mjs'));
    const fileOf = (name: string, start: string) => filesOf(name).find((file) => file.startsWith(`${start}-`)) ?? '';
    expect(fileOf('sync', 'read-workbook')).toBe('');
    for (const name of ['ingest', 'report']) {
      const holders = filesOf(name).filter((file) =>
        readFileSync(join(bundles, name, file), 'utf8').includes('sharedStrings'),
      );
      expect(holders).toEqual([fileOf(name, 'read-workbook')]);
      const { parseRecord } = await import(join(bundles, name, fileOf(name, 'parse-record')));
      expect(parseRecord(Buffer.from('a,"b""c"\n'), ',').cells).toEqual(['a', 'b"c']);
      const { readWorkbook } = await import(join(bundles, name, fileOf(name, 'read-workbook')));
      const bytes = workbookFile([
        {
          name: 'Numbers',
          rows: [
            ['msisdn', 'tariff'],
            ['07700900123', '2001'],
          ],
        },
      ]);
      const opened = await readWorkbook(chunked(bytes), {});
      expect(opened.value.header).toEqual(['msisdn', 'tariff']);
    }
  });
});

test('a function and what it loads later share one copy of a class', async () => {
  for (const name of functionNames) writeEntry(name, 'export const handler = async () => {};');
  const folder = join(root, 'functions', 'sync');
  writeFileSync(join(folder, 'problem.ts'), 'export class Problem extends Error {}\n');
  writeFileSync(
    join(folder, 'later.ts'),
    "import { Problem } from './problem.ts';\nexport const fail = () => { throw new Problem(); };\n",
  );
  writeEntry(
    'sync',
    `import { Problem } from './problem.ts';
     export const handler = async () => {
       const { fail } = await import('./later.ts');
       try { fail(); } catch (error) { return error instanceof Problem; }
     };`,
  );
  bundleFunctions(root, join(root, 'out'), functionNames);
  const bundle = await import(join(root, 'out', 'sync', 'index.mjs'));
  expect(await bundle.handler()).toBe(true);
});
