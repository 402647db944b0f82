// All three checkers at once, as a deployment runs them: cdk-nag, the template linter of CDK, and our own.
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

const appOf = (stage: string) =>
  buildApp({
    stage,
    outdir,
    context: { 'aws:cdk:bundling-stacks': [], ...namedService, alarmEmail: 'watch@example.net' },
  });

test.each(stages)('%s is without a finding, warnings included', (stage) => {
  appOf(stage).synth();
  const report = readFileSync(join(outdir, 'validation-report.json'), 'utf8');
  expect(JSON.parse(report).pluginReports).toEqual([]);
});

test('a bucket that somebody adds in a hurry is stopped', () => {
  const app = appOf('dev');
  const stack = app.node.findChild(stackName({ stage: 'dev' })) as PipelineStack;
  new Bucket(stack, 'InAHurry');
  expect(() => app.synth()).toThrow(/AwsSolutions-S10[\s\S]*simporter::encryption/);
});
