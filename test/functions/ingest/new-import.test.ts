// An attempt of ingest is renewed while it works. After a crash its time passes, and sync and `status` know.
import { describe, expect, test } from 'vitest';
import type { IngestPipeline } from '#functions/ingest/ingest-pipeline.ts';
import { holdAttempt } from '#functions/ingest/new-import.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { attemptUntil, isStuck, nextAttemptUntil, redeliveryAfter } from '#shared/import/import-state.ts';
import { double } from '../../support/double.ts';
import { minute } from '../../support/service/simulator.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

describe('an attempt', () => {
  const start = Date.parse('2026-07-06T09:00:00.000Z');

  /** An attempt on a virtual clock, and the times that it stores. */
  function startAttempt(update?: () => Promise<never>) {
    let time = start;
    let wake: () => void = () => {};
    const stored: string[] = [];
    const warnings: string[] = [];
    const dependencies = double<IngestPipeline>({
      imports: double({
        update: async (_importId, changes) => {
          if (update !== undefined) await update();
          stored.push(String(changes.attemptUntil));
          return undefined;
        },
      }),
      clocks: { wall: () => time },
      wait: (milliseconds) =>
        new Promise((resolve) => {
          wake = () => {
            time += milliseconds;
            resolve();
          };
        }),
      log: double({ warn: (message) => void warnings.push(message) }),
    });
    let end: () => void = () => {};
    const working = new Promise<void>((resolve) => {
      end = resolve;
    });
    const held = holdAttempt('import-a', () => working, dependencies);
    const passMinutes = async (minutes: number) => {
      for (let passed = 0; passed < minutes; passed += 1) {
        wake();
        await new Promise(setImmediate);
      }
    };
    return { held, end, passMinutes, stored, warnings };
  }

  test('is renewed every minute while it works, and not afterwards', async () => {
    const { held, end, passMinutes, stored } = startAttempt();
    await passMinutes(3);
    end();
    await held;
    await passMinutes(2);
    expect(stored).toEqual([1, 2, 3].map((minutes) => attemptUntil(start + minutes * minute)));
  });

  test('a renewal that fails ends nothing, and the next one is made', async () => {
    const { held, end, passMinutes, warnings } = startAttempt(() => Promise.reject(new Error('throttled')));
    await passMinutes(2);
    end();
    await held;
    expect(warnings).toEqual(Array.from({ length: 2 }, () => 'the attempt was not renewed'));
  });

  const planning = (until: string, changes: Partial<ImportItem> = {}): ImportItem => ({
    ...importItemOf('import-a', { state: 'planning' }),
    attemptUntil: until,
    ...changes,
  });

  test('a crash is noticed when two renewals are missing, and sync announces the upload five minutes after the last', () => {
    const item = planning(attemptUntil(start));
    const until = attemptUntil(start);
    const seen = [1, 2, 2.1, 5, 5.1].map((minutes) => [
      redeliveryAfter(item, start + minutes * minute),
      isStuck(item, start + minutes * minute),
    ]);
    expect(seen).toEqual([
      [undefined, false],
      [undefined, false],
      [until, false],
      [until, false],
      [until, true],
    ]);
  });

  test('an attempt that ended with a reason waits for its next delivery', () => {
    const item = planning(nextAttemptUntil(start));
    expect([redeliveryAfter(item, start + 17 * minute), isStuck(item, start + 20 * minute)]).toEqual([
      undefined,
      false,
    ]);
    expect(isStuck(item, start + 20.1 * minute)).toBe(true);
  });

  test.each<[string, Partial<ImportItem>]>([
    ['a plan whose release was interrupted', { planOnly: false }],
    ['an approved plan whose release was interrupted', { planOnly: true, approvedAt: new Date(start).toISOString() }],
  ])('%s is announced again', (_, changes) => {
    const item = planning(attemptUntil(start), { state: 'planned', ...changes });
    expect(redeliveryAfter(item, start + 3 * minute)).toBe(attemptUntil(start));
    expect(isStuck(item, start + 5.1 * minute)).toBe(true);
  });

  test.each<[string, Partial<ImportItem>]>([
    ['a plan that waits for approval', { state: 'planned', planOnly: true }],
    ['an import whose requests are in the ledger', { state: 'submitting' }],
    ['an import that reschedules ports', { reschedules: { importId: 'b', date: 'auto' } }],
  ])('%s waits for no delivery of its upload', (_, changes) => {
    const item = planning(attemptUntil(start), changes);
    expect([redeliveryAfter(item, start + 60 * minute), isStuck(item, start + 60 * minute)]).toEqual([
      undefined,
      false,
    ]);
  });
});
