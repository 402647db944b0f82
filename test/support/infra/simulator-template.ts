// The template of the porting simulator, synthesised by the real app.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '#infra/app.ts';
import { simulatorStackName } from '#infra/derived-settings.ts';
import { namedService, type SynthesisedTemplate } from './template.ts';

/** Without bundled code. @param context such as `{ simulatorAdvanceMinutes: 115 }` */
export function synthesiseSimulator(context: Record<string, unknown> = {}): SynthesisedTemplate {
  const outdir = mkdtempSync(join(tmpdir(), 'simporter-synth-'));
  try {
    const app = buildApp({
      stage: 'dev',
      outdir,
      context: { 'aws:cdk:bundling-stacks': [], ...namedService, ...context },
    });
    return app.synth().getStackByName(simulatorStackName('dev')).template;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
