// The app as `cdk` starts it: a separate process, which reads context and output folder from environment variables.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildApp } from '#infra/app.ts';
import { stackName } from '#infra/derived-settings.ts';
import { stages } from '#infra/settings.ts';
import { consoleSettings, contextOf, type EnvironmentSettings, productionSettings } from '../support/infra/template.ts';

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
    const { status, stderr } = runApp({ stage: 'prod', ...contextOf('prod') }, credentials);
    expect(status).toBe(1);
    expect(stderr).toBe(
      'Production environment "prod" must name its AWS account and region. ' +
        'For yours, set "deployment": {"account":"123456789012","region":"eu-west-2"}\n',
    );
  });

  test('is built for the account and region that it names', () => {
    const deployment = { account: '210987654321', region: 'eu-west-1' };
    const context = contextOf('prod', { ...productionSettings, deployment });
    const { status } = runApp({ stage: 'prod', ...context }, credentials);
    expect(status).toBe(0);
    const { artifacts } = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8'));
    expect(artifacts['simporter-prod'].environment).toBe('aws://210987654321/eu-west-1');
  });

  const protectionOf = (outdir: string) => {
    const { artifacts } = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8'));
    const stacks = ['simporter-prod', 'simporter-console-prod'];
    return stacks.map((name) => artifacts[name].properties.terminationProtection ?? false);
  };

  test('protects its stacks from deletion, but not in a first deployment that has to be repeatable', () => {
    const context = { stage: 'prod', ...contextOf('prod', { ...productionSettings, ...consoleSettings('prod') }) };
    buildApp({ outdir, context }).synth();
    expect(protectionOf(outdir)).toEqual([true, true]);
    buildApp({ outdir, context: { ...context, deletionProtection: 'false' } }).synth();
    expect(protectionOf(outdir)).toEqual([false, false]);
  });
});

// All checks of a deployment: cdk-nag, the template linter of the CDK, and our own. And cfn-lint where it is installed.
describe('every variant', () => {
  beforeEach(() => {
    vi.stubEnv('CDK_VALIDATION', undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const appOf = (stage: string, settings: EnvironmentSettings = {}) =>
    buildApp({
      stage,
      outdir: join(outdir, stage),
      context: contextOf(stage, {
        ...productionSettings,
        digestEmail: 'team@example.net',
        webhook: { secretName: 'simporter/webhook' },
        ...settings,
      }),
    });

  test.each(stages)('%s has no findings and no warnings', (stage) => {
    appOf(stage).synth();
    const report = readFileSync(join(outdir, stage, 'validation-report.json'), 'utf8');
    expect(JSON.parse(report).pluginReports).toEqual([]);
  });

  test.each(stages)('%s with the console has no findings and no warnings', (stage) => {
    appOf(stage, consoleSettings(stage)).synth();
    const report = readFileSync(join(outdir, stage, 'validation-report.json'), 'utf8');
    expect(JSON.parse(report).pluginReports).toEqual([]);
  });

  // Not a dependency of the project: install it with `pip install cfn-lint`.
  const hasLinter = spawnSync('cfn-lint', ['--version']).status === 0;

  test.runIf(hasLinter)(
    'cfn-lint has no findings in the templates of production, with every setting given',
    () => {
      const app = appOf('prod', {
        network: { subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] },
        service: { ...productionSettings.service, secretName: 'x' },
        ...consoleSettings('prod'),
      });
      const templates = app.synth().stacks.map(({ templateFullPath }) => templateFullPath);
      // W3005: the CDK writes dependencies that a reference implies already.
      const { stdout, stderr, status } = spawnSync('cfn-lint', ['--ignore-checks', 'W3005', '--', ...templates]);
      expect(`${stdout}${stderr}`).toBe('');
      expect(status).toBe(0);
    },
    180_000,
  );

  test('an unsafe bucket is an error', () => {
    const app = appOf('dev');
    const stack = app.node.findChild(stackName('dev')) as Stack;
    new Bucket(stack, 'Unsafe');
    expect(() => app.synth()).toThrow(/AwsSolutions-S10/);
  });
});
