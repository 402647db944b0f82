// Synthesised templates for tests: the real app of an environment, in a temporary folder that is removed afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '#infra/app.ts';
import { consoleStackName, simulatorStackName, stackName } from '#infra/derived-settings.ts';
import type { Stage } from '#infra/settings.ts';
import type { Resource, Template } from './checks/read-template.ts';

/** The context that names the porting service. */
export const namedService = {
  serviceBaseUrl: 'https://porting.example.net',
  serviceAuthUrl: 'https://auth.example.net',
  serviceAccountId: '4711',
};

/** The context that production requires. */
export const productionContext = { ...namedService, alarmEmail: 'alarms@example.net' };

/** The context of an app with the console, which has an own domain in production. */
export const consoleContext = (stage: Stage) => ({
  console: 'true',
  ...(stage === 'prod' && {
    consoleDomain: 'porting.example.com',
    consoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
  }),
});

export interface SynthesisedTemplate extends Template {
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** The pipeline's template of one environment, without bundled code. @throws Error on a finding */
export const synthesise = (stage: Stage, context: Record<string, unknown> = productionContext): SynthesisedTemplate =>
  synthesiseStack(stage, stackName(stage), context);

/** The template of its console. @throws Error on a finding */
export const synthesiseConsole = (stage: Stage, context: Record<string, unknown> = {}): SynthesisedTemplate =>
  synthesiseStack(stage, consoleStackName(stage), { ...productionContext, ...consoleContext(stage), ...context });

/** The template of the porting simulator. @param context such as `{ simulatorAdvanceMinutes: 115 }` */
export const synthesiseSimulator = (context: Record<string, unknown> = {}): SynthesisedTemplate =>
  synthesiseStack('dev', simulatorStackName('dev'), { ...namedService, ...context });

/** By environment and context: many files ask for the same one, and a worker synthesises it once. */
const synthesised = new Map<string, ReadonlyMap<string, SynthesisedTemplate>>();

function synthesiseStack(stage: Stage, name: string, context: Record<string, unknown>): SynthesisedTemplate {
  const settings = JSON.stringify([stage, context]);
  const templates = synthesised.get(settings) ?? synthesiseApp(stage, context);
  synthesised.set(settings, templates);
  const template = templates.get(name);
  if (template === undefined) throw new Error(`The app of ${settings} has no stack ${name}`);
  return template;
}

/** Every template of the app, by the name of its stack. Nobody can change them, because they are shared. */
function synthesiseApp(stage: Stage, context: Record<string, unknown>): ReadonlyMap<string, SynthesisedTemplate> {
  const outdir = mkdtempSync(join(tmpdir(), 'simporter-synth-'));
  try {
    const app = buildApp({ stage, outdir, context: { 'aws:cdk:bundling-stacks': [], ...context } });
    return new Map(app.synth().stacks.map(({ stackName: name, template }) => [name, frozen(template)]));
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

/** A copy of the template in which `change` changed the first resource of `type` that satisfies `where`. */
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
  if (!found) throw new Error(`No ${type} of the template satisfies the condition`);
  change(found[1].Properties, found[1]);
  return copy;
}

/** Logical ids without the hash that CDK appends: `InboxBucket1EDE8E4F` -> `InboxBucket`. */
export const withoutHash = (text: string): string =>
  text.replace(/(CurrentVersion)[0-9A-Fa-f]{40}/g, '$1').replace(/([A-Za-z])[0-9A-F]{8}(?=\b|\.)/g, '$1');
