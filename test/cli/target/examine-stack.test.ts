// What simporter doctor reads from AWS, answered by a server in the shapes of AWS.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { examineStack } from '#cli/target/examine-stack.ts';
import packageJson from '#package.json' with { type: 'json' };

const { version } = packageJson;

interface Stack {
  readonly schedule: 'ENABLED' | 'DISABLED';
  readonly mapping: 'Enabled' | 'Disabled';
  readonly subscription: string | undefined;
  readonly quota: number;
  /** By function; that of CDK is not one of simporter. */
  readonly descriptions: Readonly<Record<string, string>>;
}

const fine: Stack = {
  schedule: 'ENABLED',
  mapping: 'Enabled',
  quota: 1000,
  subscription: 'arn:aws:sns:eu-west-2:123456789012:alarms:0a1b',
  descriptions: {
    ingest: `simporter ${version} ingest`,
    'submit:live': `simporter ${version} submit`,
    submit: 'simporter 9.9.9 submit',
    notifications: 'AWS CloudFormation handler for "Custom::S3BucketNotifications" resources',
  },
};

const functionArn = 'arn:aws:lambda:eu-west-2:123456789012:function';
const resources: readonly (readonly [string, string])[] = [
  ['AWS::Scheduler::Schedule', 'sync-every-five-minutes'],
  ['AWS::Lambda::EventSourceMapping', '0a1b2c3d-0000-4000-8000-000000000000'],
  ['AWS::SNS::Topic', 'arn:aws:sns:eu-west-2:123456789012:alarms'],
  ['AWS::Lambda::Function', 'ingest'],
  ['AWS::Lambda::Function', 'submit'],
  ['AWS::Lambda::Function', 'notifications'],
  ['AWS::Lambda::Alias', `${functionArn}:submit:live`],
];

const xml = (action: string, result: string) =>
  `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`;
const member = (content: string) => `<member>${content}</member>`;

const queries: Readonly<Record<string, (stack: Stack) => string>> = {
  ListStackResources: () =>
    `<StackResourceSummaries>${resources
      .map(([type, id]) => member(`<ResourceType>${type}</ResourceType><PhysicalResourceId>${id}</PhysicalResourceId>`))
      .join('')}</StackResourceSummaries>`,
  ListSubscriptionsByTopic: ({ subscription }) =>
    `<Subscriptions>${
      subscription === undefined
        ? ''
        : member(`<SubscriptionArn>${subscription}</SubscriptionArn><Endpoint>ops@example.com</Endpoint>`)
    }</Subscriptions>`,
};

const answerTo = (path: string, form: string, stack: Stack): string => {
  const action = new URLSearchParams(form).get('Action');
  if (action !== null) return xml(action, queries[action]?.(stack) ?? '');
  if (path.startsWith('/schedules/')) return JSON.stringify({ Name: 'sync', State: stack.schedule });
  if (path.includes('account-settings')) {
    return JSON.stringify({ AccountLimit: { ConcurrentExecutions: stack.quota } });
  }
  const [, name] = /functions\/([^/]+)\/configuration/.exec(decodeURIComponent(path)) ?? [];
  if (name !== undefined)
    return JSON.stringify({ Description: stack.descriptions[name.replace(`${functionArn}:`, '')] });
  const FunctionArn = 'arn:aws:lambda:eu-west-2:123456789012:function:submit:live';
  return JSON.stringify({ State: stack.mapping, FunctionArn, ScalingConfig: { MaximumConcurrency: 40 } });
};

async function examine(changes: Partial<Stack>) {
  const server = createServer(async (request, response) => {
    let form = '';
    for await (const chunk of request) form += chunk;
    response.end(answerTo(request.url ?? '', form, { ...fine, ...changes }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const checks = await examineStack('simporter-prod');
  return Object.fromEntries(checks.map(({ check, ...finding }) => [check, finding]));
}

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a stack that can work', async () => {
  expect(await examine({})).toEqual({
    version: { state: 'ok', answer: `every function runs simporter ${version}, as this command does` },
    triggers: { state: 'ok', answer: 'every schedule, queue and stream is enabled' },
    alarms: { state: 'ok', answer: '1 confirmed recipient' },
    concurrency: { state: 'ok', answer: '1,000 invocations at the same time, of which the stack needs up to 60' },
  });
});

test('a schedule and a queue that are disabled', async () => {
  const { triggers } = await examine({ schedule: 'DISABLED', mapping: 'Disabled' });
  expect(triggers).toMatchObject({
    state: 'error',
    answer: 'stopped: the schedule sync, the queue or stream of submit',
  });
});

test('a recipient of alarms who has not confirmed the address, and none at all', async () => {
  const pending = await examine({ subscription: 'PendingConfirmation' });
  expect(pending.alarms).toMatchObject({ state: 'warning', answer: 'not confirmed: ops@example.com' });
  const nobody = await examine({ subscription: undefined });
  expect(nobody.alarms).toMatchObject({ state: 'warning', answer: 'the stack sends alarms to nobody' });
});

test('the quota of a new account, which is smaller than the stack needs', async () => {
  const { concurrency } = await examine({ quota: 10 });
  expect(concurrency).toMatchObject({ state: 'warning', advice: expect.stringContaining('larger quota') });
});

test('functions of another version than the command', async () => {
  const { version: found } = await examine({
    descriptions: { ingest: 'simporter 0.0.9 ingest', 'submit:live': 'simporter 0.0.9 submit' },
  });
  expect(found).toEqual({
    state: 'warning',
    answer: 'every function runs simporter 0.0.9',
    advice: `This command is simporter ${version}: deploy the stack with it, or use the version of the stack.`,
  });
});

/** As an earlier build described it. */
const withoutVersion = (step: string): string => `simporter ${step}`;

test('functions of different versions, as a deployment that was broken off leaves them', async () => {
  const { version: found } = await examine({
    descriptions: { ...fine.descriptions, 'submit:live': withoutVersion('submit') },
  });
  expect(found).toMatchObject({
    state: 'error',
    answer: `${version}: ingest; without a version: submit`,
    advice: 'Wait until the deployment has ended, or deploy the stack again.',
  });
});
