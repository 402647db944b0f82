// The app as `cdk` starts it: a process of its own, told by environment variables what to build and where.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'simporter-app-'));
});
afterEach(() => rmSync(outdir, { recursive: true, force: true }));

function runApp(context: Record<string, unknown>) {
  return spawnSync(process.execPath, [fileURLToPath(new URL('../../infra/app.ts', import.meta.url))], {
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ 'aws:cdk:bundling-stacks': [], ...context }),
    },
    encoding: 'utf8',
  });
}

test('the stage is chosen by context, and its assembly is written', () => {
  const { status, stderr } = runApp({ stage: 'local' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(readdirSync(outdir)).toContain('simporter-local.template.json');
});

test('without a stage it is dev, with a reminder to name the service', () => {
  const { status, stderr } = runApp({});
  expect(status).toBe(0);
  expect(stderr).toContain('Stage "dev" names no porting service yet');
  expect(readdirSync(outdir)).toContain('simporter-dev.template.json');
});

test('a wrong setting is told in its own words, without a way through the framework', () => {
  const { status, stderr } = runApp({ stage: 'staging' });
  expect(status).toBe(1);
  expect(stderr).toBe('There is no stage "staging": give --context stage= one of local, dev, prod.\n');
});
