import { expect, it } from 'vitest';
import { demoEnd, waitForNextDay } from '#cli/commands/demo.ts';
import { someImport } from '../../support/cli/imports.ts';

it('ends just after midnight in London, summer time or not', async () => {
  let now = Date.parse('2026-07-01T22:58:30Z');
  await waitForNextDay(
    () => now,
    async () => {
      now += 1_000;
    },
  );
  expect(new Date(now).toISOString()).toBe('2026-07-01T23:00:00.000Z');
});

it('awaits the ports for 45 seconds after all are sent, however long that took', () => {
  let now = 0;
  const isOver = demoEnd(() => now);
  const passed = (seconds: number, item: Parameters<typeof isOver>[0]) => {
    now += seconds * 1_000;
    return isOver(item);
  };
  const sent = someImport({ state: 'in-progress', ports: { Submitted: 1 } });
  expect(passed(600, someImport({ state: 'planning' }))).toBe(false);
  expect(passed(600, someImport({ state: 'submitting' }))).toBe(false);
  expect([passed(1, sent), passed(45, sent), passed(1, sent)]).toEqual([false, false, true]);
});
