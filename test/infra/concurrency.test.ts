// The concurrent executions of Lambda that an environment needs: computed from its settings, stated by `cdk synth`, by
// `simporter doctor` and by the guide.
import { readFileSync } from 'node:fs';
import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { examineStack } from '#cli/target/examine-stack.ts';
import { buildApp } from '#infra/app.ts';
import { readConfiguration } from '#infra/config.ts';
import { neededConcurrency } from '#infra/derived-settings.ts';
import { Console, Pipeline } from '../../packages/cdk.ts';
import { useAwsAccount } from '../support/cli/aws-account.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import {
  consoleSettings,
  contextOf,
  namedService,
  productionSettings,
  synthesise,
  synthesiseConsole,
} from '../support/infra/template.ts';

const withConsole = { ...productionSettings, ...consoleSettings('prod') };
const variants = [
  ['the default settings', 'prod', productionSettings, 111],
  ['the console', 'prod', withConsole, 146],
  ['100 calls per second', 'prod', { ...withConsole, callsPerSecond: 100 }, 227],
  ['many files at a time', 'prod', { ...productionSettings, ingest: { concurrency: 200 } }, 414],
  ['a setting of submit', 'prod', { ...productionSettings, submit: { concurrency: 30 } }, 131],
  ['dev', 'dev', namedService, 10],
] as const;

const configurationOf = (stage: string, settings: object) =>
  readConfiguration(stage, contextOf(stage, { ...settings }));

describe.each(variants)('with %s', (_, stage, settings, limit) => {
  test(`it is ${limit}`, () => {
    expect(neededConcurrency(configurationOf(stage, settings)).limit).toBe(limit);
  });

  test('the templates reserve what it contains', () => {
    const isConsole = 'console' in settings;
    const templates = [synthesise(stage, settings), ...(isConsole ? [synthesiseConsole(stage, settings)] : [])];
    const reserved = templates
      .flatMap((template) => resourcesOf(template, 'AWS::Lambda::Function'))
      .reduce((sum, [, { ReservedConcurrentExecutions = 0 }]) => sum + ReservedConcurrentExecutions, 0);
    const needed = neededConcurrency(configurationOf(stage, settings));
    expect(reserved).toBe(needed.limit - (reserved === 0 ? needed.limit : needed.shared));
  });

  test('doctor finds the same number in the account', async () => {
    const template = synthesise(stage, settings);
    const functions = resourcesOf(template, 'AWS::Lambda::Function');
    const sources = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
    const { limit: quota, shared } = neededConcurrency(configurationOf(stage, settings));
    const concurrencies = sources.map(([id, { ScalingConfig, FunctionName }]) => {
      const text = JSON.stringify(FunctionName);
      const target = functions.find(([name]) => text.includes(name) || text.includes(name.replace('Function', 'Live')));
      return [id, { function: target?.[0] ?? '', concurrency: ScalingConfig?.MaximumConcurrency }] as const;
    });
    await useAwsAccount({
      resources: [
        ...functions.map(([id]) => ['AWS::Lambda::Function', id, id] as const),
        ...sources.map(([id]) => ['AWS::Lambda::EventSourceMapping', id, id] as const),
        ...resourcesOf(template, 'AWS::Scheduler::Schedule').map(
          ([id]) => ['AWS::Scheduler::Schedule', id, id] as const,
        ),
      ],
      reserved: Object.fromEntries(
        functions.flatMap(([id, { ReservedConcurrentExecutions: reserved }]) => (reserved ? [[id, reserved]] : [])),
      ),
      sources: Object.fromEntries(concurrencies),
      quota,
      unreserved: shared,
    });
    const found = (await examineStack('simporter')).find(({ check }) => check === 'concurrency');
    expect(found).toMatchObject({ state: 'ok', answer: expect.stringContaining(`of which ${limit} are needed`) });
  });
});

test('cdk synth states it', () => {
  const app = buildApp({ stage: 'prod', context: contextOf('prod', withConsole) });
  const stack = app.node.findChild('simporter-prod') as Stack;
  Annotations.fromStack(stack).hasInfo(
    '*',
    Match.stringLikeRegexp(
      '^Environment "prod" needs a limit of at least 146 concurrent executions of Lambda in its AWS account and region: ' +
        'reserved for submit 10, sync 1, api-read 25, api-write 10, and 100 for all other functions\\.',
    ),
  );
});

test('an app with the constructs states it for both, and with the console for all', () => {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const env = { account: '123456789012', region: 'eu-west-2' };
  const { service, alarms, approval, console } = withConsole as typeof withConsole & { approval: 'two' };
  const [ports, consoles] = [new Stack(app, 'Ports', { env }), new Stack(app, 'Console', { env })];
  const pipeline = new Pipeline(ports, 'Pipeline', { service, alarms, approval });
  const { enabled: _, ...address } = console;
  new Console(consoles, 'Console', { pipeline, ...address });
  Annotations.fromStack(ports).hasInfo('*', Match.stringLikeRegexp('at least 111 concurrent'));
  Annotations.fromStack(consoles).hasInfo('*', Match.stringLikeRegexp('at least 146 concurrent'));
});

test('the guide names the limits of the usual settings', () => {
  const page = readFileSync('docs/guides/deploy.md', 'utf8').replaceAll(/\s+/g, ' ');
  const [plain = 0, consoleToo = 0, fast] = variants.map(([, , , limit]): number => limit);
  expect(page).toContain(
    `needs: ${plain} with the default settings, ${consoleToo} with the console, and ${fast} with it at 100 calls per second`,
  );
  expect(page).toContain(`adds what it reserves: ${plain - 100} or, with the console, ${consoleToo - 100}.`);
});
