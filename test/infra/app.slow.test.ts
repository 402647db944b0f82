// The app as `cdk` starts it: a separate process, which reads context and output folder from environment variables.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { productionContext } from '../support/infra/template.ts';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'simporter-app-'));
});
afterEach(() => rmSync(outdir, { recursive: true, force: true }));

function runApp(context: Record<string, unknown>, credentials: Record<string, string> = {}) {
  return spawnSync(process.execPath, [fileURLToPath(new URL('../../infra/app.ts', import.meta.url))], {
    env: {
      ...process.env,
      ...credentials,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ 'aws:cdk:bundling-stacks': [], ...context }),
    },
    encoding: 'utf8',
  });
}

test('context selects the environment, and its assembly is written', () => {
  const { status, stderr } = runApp({ stage: 'local' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(readdirSync(outdir)).toContain('simporter-local.template.json');
});

test('the default environment is dev, with a warning that it names no service', () => {
  const { status, stderr } = runApp({});
  expect(status).toBe(0);
  expect(stderr).toContain('Environment "dev" names no porting service');
  expect(readdirSync(outdir)).toContain('simporter-dev.template.json');
});

test('an invalid setting is reported by its message, without a stack trace', () => {
  const { status, stderr } = runApp({ stage: 'staging' });
  expect(status).toBe(1);
  expect(stderr).toBe('There is no environment "staging": pass --context stage= with one of local, dev, prod.\n');
});

describe('a production environment', () => {
  const credentials = { CDK_DEFAULT_ACCOUNT: '123456789012', CDK_DEFAULT_REGION: 'eu-west-2' };

  test('is not built for whatever account the credentials belong to', () => {
    const { status, stderr } = runApp({ stage: 'prod', ...productionContext }, credentials);
    expect(status).toBe(1);
    expect(stderr).toBe(
      'Production environment "prod" must name its AWS account and region. ' +
        'For yours, pass --context awsAccount=123456789012 --context awsRegion=eu-west-2\n',
    );
  });

  test('is built for the account and region that it names', () => {
    const context = { stage: 'prod', ...productionContext, awsAccount: '210987654321', awsRegion: 'eu-west-1' };
    const { status } = runApp(context, credentials);
    expect(status).toBe(0);
    const { artifacts } = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8'));
    expect(artifacts['simporter-prod'].environment).toBe('aws://210987654321/eu-west-1');
  });
});
