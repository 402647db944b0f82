// A command loads only what it needs: loading everything takes longer than most commands run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runMain } from '../support/cli/main-process.ts';

/** Prints the URL of every loaded module to standard error. */
const listModules = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => { process.stderr.write('loaded ' + url + '\\n'); return next(url, context); } });
`)}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-startup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const modulesOf = async (...words: string[]): Promise<string[]> => {
  const { stderr } = await runMain(folder, words, { NODE_OPTIONS: `--import ${listModules}` });
  return stderr.split('\n').filter((line) => line.startsWith('loaded '));
};

it('--help loads no client of AWS, no schema and no command', async () => {
  const modules = await modulesOf('--help');
  expect(modules.length).toBeGreaterThan(10);
  expect(modules.filter((url) => /@aws-sdk|aws-cdk-lib|\/zod\/|\/commands\//.test(url))).toEqual([]);
  expect(modules.length).toBeLessThan(60);
});

it('status loads neither the emulator, nor other commands, nor clients that it does not use', async () => {
  const modules = await modulesOf('status', 'july.csv');
  expect(modules.filter((url) => url.includes('/commands/'))).toMatchObject([expect.stringContaining('imports.ts')]);
  const heavy = /aws-cdk-lib|client-(lambda|cloudformation|eventbridge)|lib-storage|local-pipeline|shared\/operations/;
  expect(modules.filter((url) => heavy.test(url))).toEqual([]);
});
