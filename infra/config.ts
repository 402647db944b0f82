// Reads the configuration of an environment: its settings, what cdk.json changes, and what `--context` overrides.
import * as z from 'zod';
import { hasPlaceholderService } from './derived-settings.ts';
import { environments } from './environments.ts';
import { type Configuration, settingsSchema, stages } from './settings.ts';

/** What `--context` can override, each by this name. Lists are separated by commas. */
const overriddenSettings = {
  alarmEmail: ['alarms', 'email'],
  alarmTopicArn: ['alarms', 'topicArn'],
  analytics: ['analytics'],
  approval: ['approval'],
  awsAccount: ['deployment', 'account'],
  awsRegion: ['deployment', 'region'],
  console: ['console', 'enabled'],
  consoleCertificateArn: ['console', 'certificateArn'],
  consoleDomain: ['console', 'domain'],
  digestEmail: ['digestEmail'],
  releases: ['releases'],
  securityGroupIds: ['network', 'securityGroupIds'],
  serviceAccountId: ['service', 'accountId'],
  serviceAuthUrl: ['service', 'authUrl'],
  serviceBaseUrl: ['service', 'baseUrl'],
  serviceSecretName: ['service', 'secretName'],
  subnetIds: ['network', 'subnetIds'],
  tracing: ['tracing'],
  webhookForm: ['webhook', 'form'],
  webhookSecretName: ['webhook', 'secretName'],
} as const;
type OverrideName = keyof typeof overriddenSettings;

/** The names of the context that this file reads. */
export const contextNames = [...(Object.keys(overriddenSettings) as OverrideName[]), 'environments'] as const;
/** `environments` is a member of the context in cdk.json: `{ "staging": { "basedOn": "prod", "limits": {…} } }`. */
export type Context = Readonly<Partial<Record<(typeof contextNames)[number], unknown>>>;

type Settings = Readonly<Record<string, unknown>>;
const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** For messages. */
export const serviceFlags = '--context serviceBaseUrl=, serviceAuthUrl= and serviceAccountId=';

const environmentsSchema = z.record(z.string(), z.looseObject({ basedOn: z.enum(stages).optional() })).default({});

const configurationSchema = settingsSchema
  .refine((settings) => !settings.production || !hasPlaceholderService(settings), {
    path: ['service'],
    message: `a production environment must name its porting service: pass ${serviceFlags}`,
  })
  .refine(({ production, alarms }) => !production || alarms.email !== undefined || alarms.topicArn !== undefined, {
    path: ['alarms'],
    message: 'a production environment must notify a person of alarms: pass --context alarmEmail= or alarmTopicArn=',
  })
  .refine(({ report }) => report.batchSize <= 10 || report.windowSeconds > 0, {
    path: ['report', 'windowSeconds'],
    message: 'SQS delivers more than 10 messages at a time only after a window: set windowSeconds to 1 or more',
  })
  .refine(({ console }) => (console.domain === undefined) === (console.certificateArn === undefined), {
    path: ['console'],
    message: 'an own domain needs its certificate: pass --context consoleDomain= and consoleCertificateArn=',
  })
  .refine(({ production, console }) => !production || !console.enabled || console.domain !== undefined, {
    path: ['console'],
    message:
      'a production console needs an own domain, because CloudFront accepts TLS 1.0 at its own: ' +
      'pass --context consoleDomain= and consoleCertificateArn=',
  })
  .refine(({ console, stage }) => !console.enabled || !/aws|amazon|cognito/.test(stage), {
    path: ['stage'],
    message: 'the name is part of the sign-in address of the console, and Cognito reserves aws, amazon and cognito',
  });

/** @throws Error that names the environment, every invalid setting, and how to set it */
export function readConfiguration(stage: string, context: Context = {}): Configuration {
  const defined = environmentsSchema.safeParse(context.environments);
  if (!defined.success) throw new Error(`The context "environments" is invalid:\n${z.prettifyError(defined.error)}`);
  const { basedOn = stage, ...changes } = defined.data[stage] ?? {};
  const known = z.enum(stages).safeParse(basedOn);
  if (!known.success) {
    const names = [...new Set([...stages, ...Object.keys(defined.data)])].join(', ');
    throw new Error(`There is no environment "${stage}": pass --context stage= with one of ${names}.`);
  }
  const settings = [changes, overridesOf(context), { stage }].reduce<Settings>(merge, environments[known.data]);
  const parsed = configurationSchema.safeParse(settings);
  if (!parsed.success) {
    throw new Error(`The configuration of environment "${stage}" is invalid:\n${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
}

function overridesOf(context: Context): Settings {
  const overrides = Object.entries(overriddenSettings).flatMap(([name, path]) => {
    const value = context[name as OverrideName];
    if (value === undefined) return [];
    const setting = name.endsWith('Ids') ? String(value).split(',') : value;
    return [path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), setting) as Settings];
  });
  return overrides.reduce(merge, {});
}

/** Settings of `changes` replace those of `base`. Groups of settings are merged. */
function merge(base: Settings, changes: Settings): Settings {
  const merged = Object.entries(changes).map(([name, value]) => {
    const before = base[name];
    return [name, isSettings(before) && isSettings(value) ? merge(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}
