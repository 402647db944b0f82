// Execution environments as the engine runs them: context, failures, time-outs, memory, and how many at a time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '#local/engine.ts';
import { startTestEngine } from '../../support/local-engine.ts';
import { lambda, recordingStack } from '../../support/local-templates.ts';

let engine: Engine;
let lines: { source: string; line: string }[];

beforeAll(async () => {
  ({ engine, lines } = await startTestEngine({
    capacity: 3,
    templates: [
      recordingStack(
        {},
        {
          Crash: lambda('crash', { MemorySize: 128 }),
          Slow: lambda('slow', { Timeout: 1, ReservedConcurrentExecutions: 2 }),
        },
      ),
    ],
  }));
});
afterAll(() => engine.stop());

describe('an invocation', () => {
  test('sees the variables of the template, the endpoints and the calendar, and nothing of the caller', async () => {
    process.env.CALLERS_OWN = 'secret';
    const outcome = await engine.invoke('Recorder', {});
    delete process.env.CALLERS_OWN;

    const { environment } = (outcome.ok ? outcome.payload : {}) as { environment: Record<string, string> };
    expect(environment).toMatchObject({
      RECORD_QUEUE_URL: engine.outputs.RecordsUrl,
      AWS_ENDPOINT_URL_S3: engine.endpoints.s3,
      AWS_REGION: 'eu-west-2',
      AWS_LAMBDA_FUNCTION_NAME: 'test-Recorder',
      CALENDAR_SPEED: '1',
      CALENDAR_ORIGIN: String(engine.calendar.origin),
    });
    expect(environment).not.toHaveProperty('CALLERS_OWN');
  });

  test('knows how much time is left', async () => {
    const outcome = await engine.invoke('slow', { milliseconds: 0 });

    const { remaining } = (outcome.ok ? outcome.payload : {}) as { remaining: number };
    expect(remaining).toBeGreaterThan(500);
    expect(remaining).toBeLessThanOrEqual(1_000);
  });

  test('that throws is an outcome, and the environment serves on', async () => {
    const outcome = await engine.invoke('crash', { how: 'throw' });

    expect(outcome).toMatchObject({
      ok: false,
      reason: 'error',
      error: { name: 'TypeError', message: 'thrown on purpose' },
    });
    expect(outcome.ok ? '' : outcome.error.stack).toContain('crash/entry.ts');
    expect(lines.some(({ source, line }) => source === 'crash' && line.includes('thrown on purpose'))).toBe(true);
  });

  test('whose process ends is an outcome, and the next one gets a new process', async () => {
    expect(await engine.invoke('crash', { how: 'exit' })).toMatchObject({ ok: false, reason: 'exit' });
    expect(await engine.invoke('crash', { how: 'throw' })).toMatchObject({ ok: false, reason: 'error' });
  });

  test('that wants more memory than the template gives is killed', async () => {
    expect(await engine.invoke('crash', { how: 'memory' })).toMatchObject({ ok: false, reason: 'exit' });
  });

  test('that takes too long is killed and fails', async () => {
    const outcome = await engine.invoke('slow', { milliseconds: 60_000 });

    expect(outcome).toMatchObject({
      ok: false,
      reason: 'timeout',
      error: { message: 'Task timed out after 1.00 seconds' },
    });
    expect(engine.status().functions.slow).toMatchObject({ timeouts: 1, running: 0 });
  });

  test('that is killed from outside fails, and nothing else does', async () => {
    const killed = engine.invoke('slow', { milliseconds: 900 });
    await expect.poll(() => engine.status().functions.slow?.environments).toBeGreaterThan(0);
    engine.killEnvironments();

    expect(await killed).toMatchObject({ ok: false, reason: 'exit' });
    expect(await engine.invoke('slow', { milliseconds: 0 })).toMatchObject({ ok: true });
  });

  test('names the functions there are when its function does not exist', async () => {
    await expect(engine.invoke('sync', {})).rejects.toThrow(
      'No function is named "sync"; there are record, crash, slow',
    );
  });
});

describe('environments', () => {
  const pids = (outcomes: Awaited<ReturnType<Engine['invoke']>>[]) =>
    new Set(outcomes.map((outcome) => (outcome.ok ? (outcome.payload as { pid: number }).pid : undefined)));

  test('are used again while they are warm', async () => {
    const first = await engine.invoke('slow', { milliseconds: 0 });
    const second = await engine.invoke('slow', { milliseconds: 0 });

    expect(pids([first, second]).size).toBe(1);
  });

  test('serve one invocation each, as many at a time as the function reserves', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => engine.invoke('slow', { milliseconds: 50 })));

    expect(pids(outcomes).size).toBe(2);
  });

  test('tell the most memory they have had', () => {
    const { peakRssMb = 0 } = engine.status().functions.slow ?? {};

    expect(peakRssMb).toBeGreaterThan(20);
    expect(peakRssMb).toBeLessThan(512);
  });
});
