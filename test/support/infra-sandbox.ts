// The sandbox's template, as the real app of a stage has it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '#infra/app.ts';
import { sandboxStackName } from '#infra/sandbox-stack.ts';
import { namedService, type SynthesisedTemplate } from './infra-template.ts';

/** Without bundled code. @param context such as `{ sandboxAdvanceMinutes: 115 }` */
export function synthesiseSandbox(context: Record<string, unknown> = {}): SynthesisedTemplate {
  const outdir = mkdtempSync(join(tmpdir(), 'simporter-synth-'));
  try {
    const app = buildApp({
      stage: 'dev',
      outdir,
      context: { 'aws:cdk:bundling-stacks': [], ...namedService, ...context },
    });
    return app.synth().getStackByName(sandboxStackName({ stage: 'dev' })).template;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
