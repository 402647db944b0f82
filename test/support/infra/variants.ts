// The settings that change which resources there are, and how they depend on each other: an app for each of them.
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Console, Pipeline, Simulator } from '../../../packages/cdk.ts';
import {
  consoleSettings,
  type EnvironmentSettings,
  namedService,
  productionSettings,
  type SynthesisedTemplate,
  synthesiseAll,
  templatesOf,
} from './template.ts';

export interface Variant {
  readonly name: string;
  /** By the names of the stacks. */
  readonly templates: () => ReadonlyMap<string, SynthesisedTemplate>;
}

const { console, approval } = { ...consoleSettings('prod') };

const production = (name: string, settings: EnvironmentSettings = {}): Variant => ({
  name: `prod ${name}`,
  templates: () => synthesiseAll('prod', { ...productionSettings, console, approval, ...settings }),
});

const mails = { digestEmail: 'team@example.net', webhook: { secretName: 'simporter/webhook' } };
const chatOf = (form: 'slack' | 'teams') => ({ ...mails, webhook: { ...mails.webhook, form } });
const network = { subnetIds: ['subnet-0a1b', 'subnet-0c2d'], securityGroupIds: ['sg-0e3f'] };
const company = { name: 'Company', passwords: false };
const oidc = { ...company, kind: 'oidc', issuer: 'https://id.example.com', clientId: 'x', clientSecretName: 'x/oidc' };
const saml = { ...company, kind: 'saml', metadataUrl: 'https://id.example.com/metadata', passwords: true };

/** What one environment may become by a deployment. */
export const productions: readonly Variant[] = [
  production('canary'),
  production('all at once', { releases: 'all-at-once' }),
  production('direct', { releases: 'direct' }),
  production('with mails and a webhook', mails),
  production('with a chat in Slack', chatOf('slack')),
  production('with a chat in Teams', chatOf('teams')),
  production('in a VPC, with traces', { network, tracing: true }),
  production('with a named secret', { service: { ...namedService.service, secretName: 'porting/client' } }),
  production('without analytics and audit trail', { analytics: false, auditTrail: false }),
  production('with OIDC and mails of SES', { console: { ...console, signIn: oidc, mailFrom: 'codes@example.net' } }),
  production('with SAML', { console: { ...console, signIn: saml } }),
  production('with windows', { report: { windowSeconds: 20, batchSize: 100 }, sync: { everyMinutes: 1 } }),
  production('with an existing topic for alarms', {
    alarms: { topicArn: 'arn:aws:sns:eu-west-2:123456789012:on-call' },
  }),
  production('without console', { console: {} }),
  production('for nobody’s data', { production: false }),
];

const embedded = (name: string, build: (app: App) => void): Variant => ({
  name: `embedded ${name}`,
  templates: () =>
    templatesOf((outdir) => {
      const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
      build(app);
      return app;
    }),
});
const { service, alarms } = productionSettings;
const ofPipeline = { service, alarms, digestEmail: mails.digestEmail, approval: 'two' } as const;

export const variants: readonly Variant[] = [
  ...productions,
  {
    name: 'dev',
    templates: () =>
      synthesiseAll('dev', {
        ...namedService,
        ...consoleSettings('dev'),
        simulator: { enabled: true, advanceMinutes: 115 },
      }),
  },
  { name: 'local', templates: () => synthesiseAll('local', {}) },
  embedded('in stacks of others', (app) => {
    const pipeline = new Pipeline(new Stack(app, 'Ports'), 'Pipeline', ofPipeline);
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';
    new Console(new Stack(app, 'PortsConsole'), 'Console', { pipeline, domain: 'ports.example.com', certificateArn });
    new Simulator(new Stack(app, 'PortsSimulator'), 'Simulator', { advanceMinutes: 5 });
  }),
  embedded('deep, in a stage and a stack with a long name', (app) => {
    const stack = new Stack(new Stage(app, 'Production'), `Telephone-${'number-'.repeat(12)}porting`);
    new Pipeline(stack, 'Pipeline', { ...ofPipeline, tracing: true });
  }),
];
