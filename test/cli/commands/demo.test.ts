import { expect, it } from 'vitest';
import { waitForNextDay } from '#cli/commands/demo.ts';

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
