// simporter doctor and sync where Lambda starts no run of sync: every other examination is made, and each reason has
// its own words.
import { ThrottleReason } from '@aws-sdk/client-lambda';
import { describe, expect, test } from 'vitest';
import { SyncBusy, whenIdle } from '#cli/target/with-target.ts';
import { type AwsAccount, sound, useAwsAccount } from '../support/cli/aws-account.ts';
import { runInFolder } from '../support/cli/emulator.ts';
import { doctorJson } from '../support/cli/json-shapes.ts';

async function doctor(changes: Partial<AwsAccount>) {
  await useAwsAccount(changes);
  const { exitCode, stdout } = await runInFolder('.', ['--stack', 'simporter-prod', 'doctor', '--json']);
  const { checks } = doctorJson.parse(JSON.parse(stdout));
  return { exitCode, checks: Object.fromEntries(checks.map(({ check, ...finding }) => [check, finding])) };
}

async function sync(changes: Partial<AwsAccount>) {
  await useAwsAccount(changes);
  return runInFolder('.', ['--stack', 'simporter-prod', 'sync']);
}

const isBusy = ThrottleReason.ReservedFunctionConcurrentInvocationLimitExceeded;
const others = ['version', 'functions', 'triggers', 'alarms', 'concurrency', 'dead-letters'];

test('a stack that can work has nothing to do', async () => {
  const { exitCode, checks } = await doctor({});
  expect(Object.values(checks).map(({ state }) => state)).toEqual(Array(7).fill('ok'));
  expect(exitCode).toBe(0);
});

describe('a function that may not run', () => {
  const stopped = { reserved: { submit: 10, sync: 0 }, throttle: isBusy };

  test('is found at once, and so is everything else', async () => {
    const { exitCode, checks } = await doctor({ ...stopped, schedule: 'DISABLED', subscriptions: {} });
    expect(exitCode).toBe(1);
    expect(checks.sync).toEqual({
      state: 'error',
      answer: 'Sync was not started: the reserved concurrency of sync:live is 0.',
      advice: 'To enable it again: docs/guides/recovery.md#enable-what-was-stopped',
    });
    expect(checks).toMatchObject({
      functions: { answer: 'stopped, because the reserved concurrency is 0: sync' },
      triggers: { answer: 'stopped: the schedule sync-every-five-minutes' },
      alarms: { answer: 'the stack sends alarms to nobody' },
    });
    expect(Object.keys(checks)).toEqual(expect.arrayContaining(others));
  });

  test('is no other run of sync', async () => {
    const { exitCode, stderr } = await sync(stopped);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('the reserved concurrency of sync:live is 0');
    expect(stderr).not.toContain('another run');
  });

  test('may be one for a person who may not read its concurrency', async () => {
    const { exitCode, stderr } = await sync({ ...stopped, denied: ['GetFunctionConcurrency'] });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('another run is in progress, or its reserved concurrency is 0');
  });
});

describe('a function that was deleted', () => {
  const deleted = { deleted: ['sync'] };

  test('is found, and so is everything else', async () => {
    const { checks } = await doctor(deleted);
    expect(checks.sync).toEqual({
      state: 'error',
      answer: 'The function sync:live does not exist: it was deleted.',
      advice: 'Deploy the stack with --revert-drift.',
    });
    expect(checks.functions).toMatchObject({ state: 'error', answer: 'deleted: sync' });
    expect(Object.keys(checks)).toEqual(expect.arrayContaining(others));
  });

  test('is no failure of the service', async () => {
    expect(await sync(deleted)).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('does not exist') });
  });
});

test('another run of sync, and each other reason why Lambda starts none, has its own words', async () => {
  const told = new Map<string, string>();
  for (const throttle of Object.values(ThrottleReason)) {
    const { stderr } = await sync({ throttle });
    told.set(throttle, /(?:Nothing was done|Sync was not started): (.*?)\.(?:\n| Try)/.exec(stderr)?.[1] ?? stderr);
  }
  expect(Object.fromEntries(told)).toEqual({
    ReservedFunctionConcurrentInvocationLimitExceeded: 'another run of sync is in progress',
    ReservedFunctionInvocationRateLimitExceeded: 'it was called too often within a second',
    FunctionInvocationRateLimitExceeded: 'it was called too often within a second',
    ConcurrentInvocationLimitExceeded: 'all concurrent executions of the AWS account are in use',
    CallerRateLimitExceeded: 'the AWS account called Lambda too often within a second',
    ConcurrentSnapshotCreateLimitExceeded: 'Lambda is preparing too many functions of the AWS account',
  });
});

test('a run of sync that does not end is waited for, and reported as such', async () => {
  let now = 0;
  const wait = async (milliseconds: number) => {
    now += milliseconds;
  };
  const context = { clock: () => now, wait } as Parameters<typeof whenIdle>[0];
  await expect(whenIdle(context, async () => 'busy' as const)).rejects.toBeInstanceOf(SyncBusy);
  expect(now).toBe(120_000);
});

describe('dead letters', () => {
  test.each([
    ['IngestDeadLetters', 'ingest'],
    ['CommandDeadLetters', 'command'],
    ['SubmitDeadLetters', 'submit'],
    ['SyncMissedRuns', 'sync'],
    ['ReportDeadLetters', 'report'],
    ['AnnounceDeadLetters', 'announce'],
    ['EventDeadLetters', 'events'],
  ])('of %s are counted', async (queue, name) => {
    const { checks } = await doctor({ messages: { [queue]: 3 } });
    expect(checks['dead-letters']).toMatchObject({ state: 'error', answer: `dead-lettered: ${name} 3` });
  });

  test('that cannot be read leave the other checks as they are', async () => {
    const { checks } = await doctor({ denied: ['GetQueueAttributes'] });
    expect(checks['dead-letters']).toMatchObject({ state: 'unknown', answer: /not authorized/ });
    expect(checks.alarms).toMatchObject({ state: 'ok' });
  });

  test('of events are listed with their section of the runbook, which has no command for them', async () => {
    await useAwsAccount({ messages: { EventDeadLetters: 2 } });
    const { exitCode, stdout, stderr } = await runInFolder('.', ['--stack', 'simporter-prod', 'redrive']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^events +2 +0$/m);
    expect(stderr).toContain('docs/guides/runbook.md#event-dead-letters');
    expect(stderr).not.toContain('redrive the messages');
  });
});

test('the stack of the simulator is not mistaken for a real service, nor the other way round', async () => {
  const simulated = async (ServiceBaseUrl: string) => {
    await useAwsAccount({ outputs: { ...sound.outputs, ServiceBaseUrl } });
    const { stderr } = await runInFolder('.', ['--stack', 'simporter-dev', 'redrive']);
    return stderr.includes('SIMULATOR: ');
  };
  expect(await simulated('https://a1b2.execute-api.eu-west-2.amazonaws.com/simporter-simulator')).toBe(true);
  expect(await simulated('https://a1b2.execute-api.eu-west-2.amazonaws.com')).toBe(false);
});
