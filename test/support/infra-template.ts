// Synthesised templates for tests: the real app of a stage, in a temporary folder that is removed again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp, stackName } from '#infra/app.ts';
import type { Resource, Template } from '#infra/checks/template.ts';
import type { Stage } from '#infra/config.ts';

/** A service that a deployment would name. */
export const namedService = {
  serviceBaseUrl: 'https://porting.example.net',
  serviceAuthUrl: 'https://auth.example.net',
  serviceAccountId: '4711',
};

export interface SynthesisedTemplate extends Template {
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** The pipeline's template of one stage, without bundled code. @throws Error when a checker finds something */
export function synthesise(stage: Stage, context: Record<string, unknown> = namedService): SynthesisedTemplate {
  const outdir = mkdtempSync(join(tmpdir(), 'simporter-synth-'));
  try {
    const app = buildApp({ stage, outdir, context: { 'aws:cdk:bundling-stacks': [], ...context } });
    return app.synth().getStackByName(stackName({ stage })).template;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** A copy of the template with the first resource of `type` that satisfies `where` changed by `change`. */
export function withChanged(
  template: Template,
  type: string,
  change: (properties: Resource['Properties'], resource: Resource) => void,
  where: (properties: Resource['Properties'], id: string) => boolean = () => true,
): Template {
  const copy = structuredClone(template);
  const found = Object.entries(copy.Resources).find(
    ([id, resource]) => resource.Type === type && where(resource.Properties, id),
  );
  if (!found) throw new Error(`The template has no such ${type}`);
  change(found[1].Properties, found[1]);
  return copy;
}

/** Logical ids without the hash that CDK appends: `InboxBucket1EDE8E4F` -> `InboxBucket`. */
export const withoutHash = (text: string): string => text.replace(/([A-Za-z])[0-9A-F]{8}(?=\b|\.)/g, '$1');
