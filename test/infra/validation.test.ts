// All three checkers at once, as a deployment runs them: cdk-nag, the template linter of CDK, and our own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildApp, stackName } from '#infra/app.ts';
import { stages } from '#infra/config.ts';
import type { PipelineStack } from '#infra/pipeline-stack.ts';
import { namedService } from '../support/infra-template.ts';

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
      ...settings,
    },
  });

test.each(stages)('%s is without a finding, warnings included', (stage) => {
  appOf(stage).synth();
  const report = readFileSync(join(outdir, stage, 'validation-report.json'), 'utf8');
  expect(JSON.parse(report).pluginReports).toEqual([]);
});

// Not a part of the project: an opinion from outside, where the machine has it (`pip install cfn-lint`).
const hasLinter = spawnSync('cfn-lint', ['--version']).status === 0;

test.runIf(hasLinter)('an independent linter has nothing to say about any template, with every setting given', () => {
  const templates = stages.flatMap((stage) => {
    const app = appOf(stage, { subnetIds: 'subnet-0a1b2c3d', securityGroupIds: 'sg-0a1b2c3d', serviceSecretName: 'x' });
    return app.synth().stacks.map(({ templateFullPath }) => templateFullPath);
  });
  // W3005: CDK itself writes the dependency of a function on its role, which its reference implies.
  const { stdout, stderr, status } = spawnSync('cfn-lint', ['--ignore-checks', 'W3005', '--', ...templates]);
  expect(`${stdout}${stderr}`).toBe('');
  expect(status).toBe(0);
});

test('a bucket that somebody adds in a hurry is stopped', () => {
  const app = appOf('dev');
  const stack = app.node.findChild(stackName({ stage: 'dev' })) as PipelineStack;
  new Bucket(stack, 'InAHurry');
  expect(() => app.synth()).toThrow(/AwsSolutions-S10[\s\S]*simporter::encryption/);
});
