// A deployment changes who must approve, which console may upload and which account gets the work only where a person
// confirms it. Each row deploys one template over another, with the parameters that `cdk deploy` would pass.
import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { Console, Pipeline, type PipelineProps } from '../../packages/cdk.ts';
import {
  consoleSettings,
  type EnvironmentSettings,
  productionSettings,
  synthesise,
} from '../support/infra/template.ts';

interface ConfirmedTemplate {
  readonly Parameters: Readonly<Record<string, { readonly Default?: string }>>;
  readonly Rules: Readonly<
    Record<string, { readonly Assertions: readonly { readonly Assert: unknown; readonly AssertDescription: string }[] }>
  >;
}

type Parameters = Readonly<Record<string, string>>;

/** What the command line passes: a given value, else that of the running stack, else the default of the template. */
const parametersOf = (
  { Parameters: declared }: ConfirmedTemplate,
  running: Parameters,
  given: Parameters,
): Parameters =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { Default = '' }]) => [name, given[name] ?? running[name] ?? Default]),
  );

/** What CloudFormation answers to parameters that break rules: their descriptions. */
function brokenRules({ Rules }: ConfirmedTemplate, parameters: Parameters): string[] {
  const resolved = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'Ref' in value ? parameters[String(value.Ref)] : value;
  return Object.entries(Rules).flatMap(([name, { Assertions }]) =>
    name === 'CheckBootstrapVersion'
      ? []
      : Assertions.flatMap(({ Assert, AssertDescription }) => {
          const [one, other] = (Assert as { readonly 'Fn::Equals': readonly unknown[] })['Fn::Equals'];
          return resolved(one) === resolved(other) ? [] : [AssertDescription];
        }),
  );
}

/** The first deployment, and then the next one. */
function redeploy(running: ConfirmedTemplate, next: ConfirmedTemplate, given: Parameters = {}): string[] {
  const first = parametersOf(running, {}, {});
  expect(brokenRules(running, first)).toEqual([]);
  return brokenRules(next, parametersOf(next, first, given));
}

/** `--parameters STACK:NAME=VALUE` at the end of each refusal. */
const flagsOf = (refusals: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    refusals.map((text) => {
      const [, name = '', value = ''] = /--parameters [\w-]+:(\w+)=(\S+)$/.exec(text) ?? [];
      return [name, value];
    }),
  );

const { service, alarms } = productionSettings;
const production = { service, alarms };
const withConsole = { ...production, ...consoleSettings('prod') };
const ofService = (changes: object) => ({ ...withConsole, service: { ...service, ...changes } });
const ownDomain = consoleSettings('prod').console;
const moved = { ...ownDomain, domain: 'ports.example.com' };

const deployments: readonly [string, EnvironmentSettings, EnvironmentSettings, Parameters][] = [
  ['the same settings', withConsole, withConsole, {}],
  ['without the console and its approval', withConsole, production, { Approval: 'upload', ConsoleOrigin: 'none' }],
  ['without the console', withConsole, { ...withConsole, console: {} }, { ConsoleOrigin: 'none' }],
  [
    'with a console that was not there',
    production,
    { ...withConsole, approval: 'upload' },
    { ConsoleOrigin: 'https://porting.example.com' },
  ],
  [
    'with another address of the console',
    withConsole,
    { ...withConsole, console: moved },
    { ConsoleOrigin: 'https://ports.example.com' },
  ],
  ['from two persons to one', withConsole, { ...withConsole, approval: 'one' }, { Approval: 'one' }],
  ['from two persons to none', withConsole, { ...withConsole, approval: 'upload' }, { Approval: 'upload' }],
  ['from one person to none', { ...production, approval: 'one' }, production, { Approval: 'upload' }],
  // Otherwise the parameter would stay behind, and the way back would pass without a word.
  ['from none to two persons', production, { ...production, approval: 'two' }, { Approval: 'two' }],
  ['upload as the default or in words', production, { ...production, approval: 'upload' }, {}],
  [
    'to another account',
    withConsole,
    ofService({ accountId: 4712 }),
    { PortingAccount: '4712@https://porting.example.net' },
  ],
  [
    'to another service, such as from a simulator',
    withConsole,
    ofService({ baseUrl: 'https://new.example.net' }),
    { PortingAccount: '4711@https://new.example.net' },
  ],
  ['to another address of the tokens', withConsole, ofService({ authUrl: 'https://tokens.example.net' }), {}],
  [
    'with other numbers, times and recipients',
    withConsole,
    {
      ...withConsole,
      alarms: { email: 'other@example.net' },
      callsPerSecond: 20,
      retention: { inboxDays: 40 },
      releases: 'all-at-once',
    },
    {},
  ],
];

describe('a deployment', () => {
  test.each(deployments)('%s', (_, running, next, refused) => {
    const templates = [running, next].map((settings) => synthesise('prod', settings) as unknown as ConfirmedTemplate);
    const [before, after] = templates as [ConfirmedTemplate, ConfirmedTemplate];
    const refusals = redeploy(before, after);
    expect(flagsOf(refusals)).toEqual(refused);
    // The flags of the refusals are all that is needed, and the deployment after it needs none.
    expect(redeploy(before, after, flagsOf(refusals))).toEqual([]);
    expect(redeploy(after, after)).toEqual([]);
  });

  test('says in words what it would change, and how to confirm that', () => {
    const before = synthesise('prod', withConsole) as unknown as ConfirmedTemplate;
    const after = synthesise('prod', production) as unknown as ConfirmedTemplate;
    expect(redeploy(before, after)).toEqual([
      'The settings change which files wait for an approver, to upload. ' +
        'To confirm the change, deploy with --parameters simporter-prod:Approval=upload',
      'The settings change the address of the console, whose pages may upload, to none. ' +
        'To confirm the change, deploy with --parameters simporter-prod:ConsoleOrigin=none',
    ]);
  });
});

describe('the constructs of the package', () => {
  const ofPackage = (props: Partial<PipelineProps>, console?: 'with a console'): ConfirmedTemplate => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
    const stack = new Stack(app, 'Ports');
    const pipeline = new Pipeline(stack, 'Pipeline', { service, alarms, ...props });
    const { domain, certificateArn } = ownDomain as { domain: string; certificateArn: string };
    if (console) new Console(new Stack(app, 'PortsConsole'), 'Console', { pipeline, domain, certificateArn });
    return app.synth().getStackByName('Ports').template;
  };

  test('refuse the same as the clone, with the name of their own stack', () => {
    const running = ofPackage({ approval: 'two' }, 'with a console');
    const refusals = redeploy(running, ofPackage({ service: { ...service, accountId: 1 } }));
    expect(flagsOf(refusals)).toEqual({
      Approval: 'upload',
      ConsoleOrigin: 'none',
      PortingAccount: '1@https://porting.example.net',
    });
    expect(refusals[0]).toContain('--parameters Ports:Approval=upload');
    expect(redeploy(running, running)).toEqual([]);
  });

  test('like the clone, a console in production needs a stated approval and an own domain', () => {
    expect(() => ofPackage({}, 'with a console')).toThrow(/set approval to two, one or upload/);
    expect(() => synthesise('prod', { ...withConsole, approval: undefined })).toThrow(/set approval to two, one/);
  });
});
