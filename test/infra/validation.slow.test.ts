// All checks of a deployment: cdk-nag, the template linter of the CDK, and our own. And cfn-lint where it is installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildApp } from '#infra/app.ts';
import { stackName } from '#infra/derived-settings.ts';
import { stages } from '#infra/settings.ts';
import { consoleContext, namedService } from '../support/infra/template.ts';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'simporter-validation-'));
  vi.stubEnv('CDK_VALIDATION', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(outdir, { recursive: true, force: true });
});

const appOf = (stage: string, settings: Record<string, string> = {}) =>
  buildApp({
    stage,
    outdir: join(outdir, stage),
    context: {
      'aws:cdk:bundling-stacks': [],
      ...namedService,
      alarmEmail: 'watch@example.net',
      digestEmail: 'team@example.net',
      webhookSecretName: 'simporter/webhook',
      ...settings,
    },
  });

test.each(stages)('%s has no findings and no warnings', (stage) => {
  appOf(stage).synth();
  const report = readFileSync(join(outdir, stage, 'validation-report.json'), 'utf8');
  expect(JSON.parse(report).pluginReports).toEqual([]);
});

test.each(stages)('%s with the console has no findings and no warnings', (stage) => {
  appOf(stage, consoleContext(stage)).synth();
  const report = readFileSync(join(outdir, stage, 'validation-report.json'), 'utf8');
  expect(JSON.parse(report).pluginReports).toEqual([]);
});

// Not a dependency of the project: install it with `pip install cfn-lint`.
const hasLinter = spawnSync('cfn-lint', ['--version']).status === 0;

test.runIf(hasLinter)(
  'cfn-lint has no findings in the templates of production, with every setting given',
  () => {
    const app = appOf('prod', {
      subnetIds: 'subnet-0a1b2c3d',
      securityGroupIds: 'sg-0a1b2c3d',
      serviceSecretName: 'x',
      ...consoleContext('prod'),
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
