// Synthesised templates for tests: the real app of an environment, in a temporary folder that is removed afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { buildApp } from '#infra/app.ts';
import { consoleStackName, simulatorStackName, stackName } from '#infra/derived-settings.ts';
import type { Stage } from '#infra/settings.ts';
import type { Resource, Template } from './checks/read-template.ts';

/** As a member of `environments` in cdk.json. */
export type EnvironmentSettings = Readonly<Record<string, unknown>>;

/** The settings that name the porting service. */
export const namedService = {
  service: { baseUrl: 'https://porting.example.net', authUrl: 'https://auth.example.net', accountId: 4711 },
};

/** The settings that production requires. */
export const productionSettings = { ...namedService, alarms: { email: 'alarms@example.net' } };

/** The settings of an environment with the console, which has an own domain in production. */
export const consoleSettings = (stage: Stage) => ({
  console: { enabled: true, ...(stage === 'prod' && ownDomain) },
  ...(stage === 'prod' && { approval: 'two' }),
});

const ownDomain = {
  domain: 'porting.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
};

/** The CDK context of an app whose cdk.json has these settings. No code is bundled. */
export const contextOf = (stage: string, settings: EnvironmentSettings = productionSettings) => ({
  'aws:cdk:bundling-stacks': [],
  environments: { [stage]: settings },
});

export interface SynthesisedTemplate extends Template {
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** The pipeline's template of one environment, without bundled code. @throws Error on a finding */
export const synthesise = (stage: Stage, settings: EnvironmentSettings = productionSettings): SynthesisedTemplate =>
  synthesiseStack(stage, stackName(stage), settings);

/** The template of its console. @throws Error on a finding */
export const synthesiseConsole = (stage: Stage, settings: EnvironmentSettings = {}): SynthesisedTemplate =>
  synthesiseStack(stage, consoleStackName(stage), { ...productionSettings, ...consoleSettings(stage), ...settings });

/** The template of the porting simulator. @param settings such as `{ simulator: { advanceMinutes: 115 } }` */
export const synthesiseSimulator = (settings: EnvironmentSettings = {}): SynthesisedTemplate =>
  synthesiseStack('dev', simulatorStackName('dev'), { ...namedService, ...settings });

/** By environment and settings: many files ask for the same one, and a worker synthesises it once. */
const synthesised = new Map<string, ReadonlyMap<string, SynthesisedTemplate>>();

/**
 * Every template of the app of one environment, by the name of its stack. Nobody can change them, because they are
 * shared. @throws Error on a finding
 */
export function synthesiseAll(stage: Stage, settings: EnvironmentSettings): ReadonlyMap<string, SynthesisedTemplate> {
  const app = JSON.stringify([stage, settings]);
  const build = (outdir: string) => buildApp({ stage, outdir, context: contextOf(stage, settings) });
  const templates = synthesised.get(app) ?? templatesOf(build);
  synthesised.set(app, templates);
  return templates;
}

function synthesiseStack(stage: Stage, name: string, settings: EnvironmentSettings): SynthesisedTemplate {
  const template = synthesiseAll(stage, settings).get(name);
  if (template === undefined) throw new Error(`The app of ${stage} ${JSON.stringify(settings)} has no stack ${name}`);
  return template;
}

/** @param build gets the folder of the app, which is removed afterwards */
export function templatesOf(build: (outdir: string) => App): ReadonlyMap<string, SynthesisedTemplate> {
  const outdir = mkdtempSync(join(tmpdir(), 'simporter-synth-'));
  try {
    const stacks = build(outdir).synth().stacksRecursively;
    return new Map(stacks.map(({ stackName: name, template }) => [name, frozen(template)]));
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
