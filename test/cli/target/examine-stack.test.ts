// What simporter doctor reads from AWS.
import { describe, expect, test } from 'vitest';
import { examineStack } from '#cli/target/examine-stack.ts';
import { type AwsAccount, sound, topicArn, useAwsAccount, version } from '../../support/cli/aws-account.ts';

async function examine(changes: Partial<AwsAccount>) {
  await useAwsAccount(changes);
  const checks = await examineStack('simporter-prod');
  return Object.fromEntries(checks.map(({ check, ...finding }) => [check, finding]));
}

const fine = {
  version: { state: 'ok', answer: `every function runs simporter ${version}, as this command does` },
  functions: { state: 'ok', answer: 'every function exists and may run' },
  triggers: { state: 'ok', answer: 'every schedule, queue and stream is enabled' },
  alarms: { state: 'ok', answer: '1 confirmed recipient' },
  concurrency: {
    state: 'ok',
    answer: '1,000 invocations at the same time, of which 146 are needed: 46 reserved, and 100 for all other functions',
  },
};

test('a stack that can work', async () => {
  expect(await examine({})).toEqual(fine);
});

describe('each check is made, whatever the others may not read', () => {
  test.each([
    ['GetFunctionConfiguration', ['version']],
    ['GetFunctionConcurrency', ['functions', 'concurrency']],
    ['GetSchedule', ['triggers']],
    ['GetEventSourceMapping', ['triggers', 'concurrency']],
    ['ListSubscriptionsByTopic', ['alarms']],
    ['GetAccountSettings', ['concurrency']],
  ])('without %s', async (denied, unread) => {
    const unknown = {
      state: 'unknown',
      answer: `not authorized to perform ${denied}`,
      advice: 'Your AWS credentials may not do this: ask for the permission, or use another profile.',
    };
    expect(await examine({ denied: [denied] })).toEqual({
      ...fine,
      ...Object.fromEntries(unread.map((name) => [name, unknown])),
    });
  });
});

describe('functions', () => {
  test('that a person stopped', async () => {
    const { functions } = await examine({ reserved: { submit: 10, sync: 0 } });
    expect(functions).toEqual({
      state: 'error',
      answer: 'stopped, because the reserved concurrency is 0: sync',
      advice: 'To enable it again: docs/guides/recovery.md#enable-what-was-stopped',
    });
  });

  test('that a person deleted, beside which the versions of the others are compared', async () => {
    const { functions, version: compared } = await examine({ deleted: ['sync'] });
    expect(functions).toMatchObject({ state: 'error', answer: 'deleted: sync' });
    expect(compared).toEqual(fine.version);
  });
});

describe('triggers', () => {
  test.each(['Disabled', 'Disabling', 'Deleting'])('in the state %s are stopped', async (state) => {
    const { triggers } = await examine({ mappings: { ...sound.mappings, 'submit-source': state } });
    expect(triggers).toEqual({
      state: 'error',
      answer: 'stopped: the queue or stream of submit',
      advice: 'To enable it again: docs/guides/recovery.md#enable-what-was-stopped',
    });
  });

  test.each(['Enabling', 'Updating', 'Creating'])('in the state %s are not stopped', async (state) => {
    const { triggers } = await examine({ mappings: { ...sound.mappings, 'submit-source': state } });
    expect(triggers).toEqual({
      state: 'ok',
      answer: `every schedule, queue and stream is enabled, or about to be: that of submit is ${state}`,
    });
  });

  test('are stopped where the schedule is disabled', async () => {
    const { triggers } = await examine({ schedule: 'DISABLED' });
    expect(triggers).toMatchObject({ state: 'error', answer: 'stopped: the schedule sync-every-five-minutes' });
  });

  test('are restored by a deployment where the schedule was deleted', async () => {
    const { triggers } = await examine({ deleted: ['sync-every-five-minutes'] });
    expect(triggers).toMatchObject({
      answer: 'stopped: the schedule sync-every-five-minutes',
      advice: 'Deploy the stack with --revert-drift.',
    });
  });
});

describe('recipients of alarms', () => {
  const topics = (...names: readonly (readonly [string, string])[]): AwsAccount['resources'] => [
    ...sound.resources.filter(([type]) => type !== 'AWS::SNS::Topic'),
    ...names.map(([id, name]) => ['AWS::SNS::Topic', id, topicArn(name)] as const),
  ];
  const confirmed = [topicArn('any:0a1b')];
  const nobody = { state: 'warning', answer: 'the stack sends alarms to nobody' };

  test('are those of its topic, not those of the digest', async () => {
    const resources = topics(['AlarmMail', 'alarms'], ['DigestMail', 'digest']);
    const found = await examine({ resources, subscriptions: { digest: confirmed } });
    expect(found.alarms).toMatchObject(nobody);
    expect(found.digest).toEqual({ state: 'ok', answer: '1 confirmed recipient' });
    const digest = await examine({ resources, subscriptions: { alarms: confirmed, digest: [] } });
    expect(digest).toMatchObject({ alarms: fine.alarms, digest: { state: 'warning' } });
  });

  test('are those of an own topic, too', async () => {
    const own = { resources: topics(), outputs: { ...sound.outputs, AlarmTopicArn: topicArn('pager') } };
    expect((await examine({ ...own, subscriptions: { pager: confirmed } })).alarms).toEqual(fine.alarms);
    expect((await examine({ ...own, subscriptions: {} })).alarms).toMatchObject(nobody);
  });

  test('who have not confirmed their address, or whose subscription ended, get nothing', async () => {
    const pending = await examine({ subscriptions: { alarms: ['PendingConfirmation'] } });
    expect(pending.alarms).toMatchObject({ state: 'warning', answer: 'not confirmed: ops@example.com' });
    expect((await examine({ subscriptions: { alarms: ['Deleted'] } })).alarms).toMatchObject(nobody);
  });

  test('are not missed in an environment without alarms', async () => {
    const resources = sound.resources.filter(([type]) => !/SNS|CloudWatch/.test(type));
    expect((await examine({ resources })).alarms).toMatchObject({ state: 'ok', answer: /has no alarms/ });
    const withAlarms = sound.resources.filter(([type]) => !type.includes('SNS'));
    expect((await examine({ resources: withAlarms })).alarms).toMatchObject(nobody);
  });
});

describe('concurrency', () => {
  const answers = async (changes: Partial<AwsAccount>) => (await examine(changes)).concurrency;

  test('needs what everybody reserves in the account, and 100 beside', async () => {
    expect(await answers({ quota: 145, unreserved: 99 })).toEqual({
      state: 'warning',
      answer: '145 invocations at the same time, of which 146 are needed: 46 reserved, and 100 for all other functions',
      advice: 'Request a higher limit: "Concurrent executions" in Service Quotas.',
    });
    expect(await answers({ quota: 146, unreserved: 100 })).toMatchObject({ state: 'ok' });
  });

  test('needs more beside where the other functions of the stack may run more often', async () => {
    const resources = Array.from({ length: 3 }, (_, index) => `ingest-source${index}`);
    const sources = resources.map((name) => ['AWS::Lambda::EventSourceMapping', name, name] as const);
    const found = await answers({ resources: [...sound.resources, ...sources] });
    expect(found?.answer).toContain('of which 206 are needed: 46 reserved, and 160 for all other functions');
  });

  test('needs only what runs where nothing is reserved, as in a new account', async () => {
    const found = await answers({ reserved: {}, quota: 10, unreserved: 10 });
    expect(found).toMatchObject({
      state: 'warning',
      answer: /^10 invocations at the same time, of which 81 are needed$/,
    });
  });
});

test('functions of another version than the command', async () => {
  const descriptions = { ingest: 'simporter 0.0.9 ingest', 'submit:live': 'simporter 0.0.9 submit' };
  expect((await examine({ descriptions })).version).toEqual({
    state: 'warning',
    answer: 'every function runs simporter 0.0.9',
    advice: `This command is simporter ${version}: deploy the stack with it, or use the version of the stack.`,
  });
});

/** As an earlier build described it. */
const withoutVersion = (step: string): string => `simporter ${step}`;

test('functions of different versions, as a deployment that was broken off leaves them', async () => {
  const descriptions = { ...sound.descriptions, 'submit:live': withoutVersion('submit') };
  expect((await examine({ descriptions })).version).toMatchObject({
    state: 'error',
    answer: `${version}: ingest, sync; without a version: submit`,
    advice: 'Wait until the deployment has ended, or deploy the stack again.',
  });
});
