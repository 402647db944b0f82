// Reads the configuration of an environment: the built-in settings, and what cdk.json changes.
import * as z from 'zod';
import { environments, hasPlaceholderService, isMonitored, isNameOfOtherStack } from './derived-settings.ts';
import { type Configuration, settingsSchema, stages } from './settings.ts';

/**
 * What this file reads of the context. Settings are in cdk.json only: one that was passed with a command would be
 * missing in the next one. `environments` has them, as `{ "staging": { "basedOn": "prod", "limits": {…} } }`. The
 * others are for one deployment: how it replaces the code, and whether it protects what it creates.
 */
const ofDeployment = ['releases', 'deletionProtection'] as const;
export const contextNames = ['environments', ...ofDeployment] as const;
type Context = Readonly<Partial<Record<(typeof contextNames)[number], unknown>>>;

type Settings = Readonly<Record<string, unknown>>;
const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** For messages. */
export const serviceSettings = 'service.baseUrl, service.authUrl and service.accountId';

const basedOn = z.enum(stages, 'must be local, dev or prod: its built-in defaults apply, and no setting beside it');
const environmentsSchema = z.record(z.string(), z.looseObject({ basedOn: basedOn.optional() })).default({});

const configurationSchema = settingsSchema
  .refine((settings) => !settings.production || !hasPlaceholderService(settings), {
    path: ['service'],
    message: `a production environment must name its porting service: set ${serviceSettings}`,
  })
  .refine((settings) => !settings.production || isMonitored(settings), {
    path: ['alarms'],
    message: 'a production environment must notify a person of alarms: set alarms.email or alarms.topicArn',
  })
  .refine((settings) => settings.releases !== 'canary' || isMonitored(settings), {
    path: ['releases'],
    message: 'alarms roll a canary release back: name a recipient of alarms, or set releases to direct',
  })
  .refine(({ report }) => report.batchSize <= 10 || report.windowSeconds > 0, {
    path: ['report', 'windowSeconds'],
    message: 'SQS delivers more than 10 messages at a time only after a window: set windowSeconds to 1 or more',
  })
  .refine(({ webhook }) => webhook.form === 'json' || webhook.secretName !== undefined, {
    path: ['webhook', 'secretName'],
    message: 'messages for a chat need the secret with its address: set webhook.secretName',
  })
  .refine(({ console }) => (console.domain === undefined) === (console.certificateArn === undefined), {
    path: ['console'],
    message: 'an own domain needs its certificate: set console.domain and console.certificateArn',
  })
  .refine(({ production, console }) => !production || !console.enabled || console.domain !== undefined, {
    path: ['console'],
    message:
      'a production console needs an own domain, because CloudFront accepts TLS 1.0 at its own: ' +
      'set console.domain and console.certificateArn',
  })
  .refine(({ production, console, approval }) => !production || !console.enabled || approval !== undefined, {
    path: ['approval'],
    message: 'with a console, people can require a second person: set approval to two, one or upload',
  })
  .refine(({ stage }) => !isNameOfOtherStack(stage), {
    path: ['stage'],
    message: 'the name must not begin with console- or simulator-: another environment has a stack of that name',
  })
  .refine(({ console, stage }) => !console.enabled || !/aws|amazon|cognito/.test(stage), {
    path: ['stage'],
    message: 'the name is part of the sign-in address of the console, and Cognito reserves aws, amazon and cognito',
  });

/** @throws Error that names the environment, every invalid setting, and how to set it */
export function readConfiguration(stage: string, context: Context = {}): Configuration {
  const defined = environmentsSchema.safeParse(context.environments);
  if (!defined.success) throw new Error(`The context "environments" is invalid:\n${z.prettifyError(defined.error)}`);
  const { basedOn = stages.find((name) => name === stage), ...changes } = defined.data[stage] ?? {};
  if (basedOn === undefined) {
    if (Object.hasOwn(defined.data, stage))
      throw new Error(`Set "basedOn" of the environment "${stage}": local, dev or prod.`);
    const names = [...new Set([...stages, ...Object.keys(defined.data)])].join(', ');
    throw new Error(`There is no environment "${stage}": pass --context stage= with one of ${names}.`);
  }
  const passed = ofDeployment.filter((name) => context[name] !== undefined).map((name) => [name, context[name]]);
  const settings = [changes, { ...Object.fromEntries(passed), stage }].reduce<Settings>(merge, environments[basedOn]);
  const parsed = configurationSchema.safeParse(settings);
  if (!parsed.success) {
    throw new Error(`The configuration of environment "${stage}" is invalid:\n${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
}

/** Settings of `changes` replace those of `base`. Groups of settings are merged. */
function merge(base: Settings, changes: Settings): Settings {
  const merged = Object.entries(changes).map(([name, value]) => {
    const before = base[name];
    return [name, isSettings(before) && isSettings(value) ? merge(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}
