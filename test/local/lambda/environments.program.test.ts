// Execution environments: context, failures, timeouts, memory, and how many run at a time.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Emulator } from '#local/emulator-options.ts';
import { startTestEmulator } from '../../support/emulator/emulator.ts';
import { lambda, recordingStack } from '../../support/emulator/templates.ts';

let emulator: Emulator;
let lines: { source: string; line: string }[];

beforeAll(async () => {
  ({ emulator, lines } = await startTestEmulator({
    capacity: 3,
    variables: ({ speed }) => ({ SPEED: String(speed) }),
    templates: [
      recordingStack(
        {},
        {
          Hang: lambda('hang', { Timeout: 20, ReservedConcurrentExecutions: 1 }),
          // On a busy machine it takes long to use up the memory.
          Crash: lambda('crash', { MemorySize: 128, Timeout: 900 }),
          Slow: lambda('slow', { Timeout: 60, ReservedConcurrentExecutions: 2 }),
          // It never ends, so nothing else is in a hurry.
          Stuck: lambda('stuck', { Timeout: 1 }),
        },
      ),
    ],
  }));
});
afterAll(() => emulator.stop());

describe('an invocation', () => {
  test('has the variables of the template, the endpoints and the project, and none of the caller', async () => {
    process.env.CALLERS_OWN = 'secret';
    const outcome = await emulator.invoke('Recorder', {});
    delete process.env.CALLERS_OWN;

    const { environment } = (outcome.ok ? outcome.payload : {}) as { environment: Record<string, string> };
    expect(environment).toMatchObject({
      RECORD_QUEUE_URL: emulator.outputs.RecordsUrl,
      AWS_ENDPOINT_URL_S3: emulator.endpoints.s3,
      AWS_REGION: 'eu-west-2',
      AWS_LAMBDA_FUNCTION_NAME: 'test-Recorder',
      SPEED: '1',
    });
    expect(environment).not.toHaveProperty('CALLERS_OWN');
  });

  test('can read its remaining time', async () => {
    const outcome = await emulator.invoke('slow', { milliseconds: 0 });

    const { remaining } = (outcome.ok ? outcome.payload : {}) as { remaining: number };
    expect(remaining).toBeGreaterThan(30_000);
    expect(remaining).toBeLessThanOrEqual(60_000);
  });

  test('that throws is an outcome, and the environment goes on', async () => {
    const outcome = await emulator.invoke('crash', { how: 'throw' });

    expect(outcome).toMatchObject({
      ok: false,
      reason: 'error',
      error: { name: 'TypeError', message: 'thrown on purpose' },
    });
    expect(outcome.ok ? '' : outcome.error.stack).toContain('crash/entry.ts');
    expect(lines.some(({ source, line }) => source === 'crash' && line.includes('thrown on purpose'))).toBe(true);
  });

  test('whose process ends is an outcome, and the next one gets a new process', async () => {
    expect(await emulator.invoke('crash', { how: 'exit' })).toMatchObject({ ok: false, reason: 'exit' });
    expect(await emulator.invoke('crash', { how: 'throw' })).toMatchObject({ ok: false, reason: 'error' });
  });

  test('that needs more memory than the template gives is killed', async () => {
    expect(await emulator.invoke('crash', { how: 'memory' })).toMatchObject({ ok: false, reason: 'exit' });
  });

  test('that takes too long is killed and fails', async () => {
    const outcome = await emulator.invoke('stuck', {});

    expect(outcome).toMatchObject({
      ok: false,
      reason: 'timeout',
      error: { message: 'Task timed out after 1.00 seconds' },
    });
    expect(emulator.status().functions.stuck).toMatchObject({ timeouts: 1, running: 0 });
  });

  test('whose function does not start is killed and fails, and its slot is free again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let slot = 0; slot < 2; slot += 1) {
      const invoked = emulator.invoke('hang', {});
      await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
      vi.advanceTimersByTime(30_000);
      expect(await invoked).toMatchObject({
        ok: false,
        reason: 'timeout',
        error: { message: 'The function has not started within 30 seconds' },
      });
    }
    vi.useRealTimers();
  });

  test('that is killed from outside fails, and the next one does not', async () => {
    const killed = emulator.invoke('slow', { milliseconds: 50_000 });
    await expect.poll(() => emulator.status().functions.slow?.environments).toBeGreaterThan(0);
    emulator.killEnvironments();

    expect(await killed).toMatchObject({ ok: false, reason: 'exit' });
    expect(await emulator.invoke('slow', { milliseconds: 0 })).toMatchObject({ ok: true });
  });

  test('of a function that does not exist names those that do', async () => {
    await expect(emulator.invoke('sync', {})).rejects.toThrow(
      'No function is named "sync"; there are record, hang, crash, slow, stuck',
    );
  });
});

describe('environments', () => {
  const pids = (outcomes: Awaited<ReturnType<Emulator['invoke']>>[]) =>
    new Set(outcomes.map((outcome) => (outcome.ok ? (outcome.payload as { pid: number }).pid : undefined)));

  test('are used again while they are idle', async () => {
    const first = await emulator.invoke('slow', { milliseconds: 0 });
    const second = await emulator.invoke('slow', { milliseconds: 0 });

    expect(pids([first, second]).size).toBe(1);
  });

  test('run one invocation each, as many at a time as the function reserves', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => emulator.invoke('slow', { milliseconds: 50 })));

    expect(pids(outcomes).size).toBe(2);
  });

  test('report the most memory that they have used', () => {
    const { peakRssMb = 0 } = emulator.status().functions.slow ?? {};

    expect(peakRssMb).toBeGreaterThan(20);
    expect(peakRssMb).toBeLessThan(512);
  });
});

test('after the stop no environment starts, however long a page still polls', async () => {
  const { emulator: stopped } = await startTestEmulator({
    capacity: 1,
    templates: [recordingStack({}, { Slow: lambda('slow', { Timeout: 1 }) })],
  });
  await stopped.stop();
  expect(await stopped.invoke('slow', { milliseconds: 0 })).toMatchObject({
    ok: false,
    error: { name: 'EmulatorStopped' },
  });
});
