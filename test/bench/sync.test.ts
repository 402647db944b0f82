// The bound on the calls of a run of sync, and that no port is left for ever where a list is too long for one run. Calls are
// counted, not timed, so the figures are the same on every machine.
import { expect, test } from 'vitest';
import { createSyncWorld } from '../../bench/sync-world.ts';

test.each([
  { ports: 100, live: 100, changed: 1 },
  { ports: 1_000, live: 1_000, changed: 30 },
  { ports: 1_000, live: 40, changed: 40 },
  { ports: 10_000, live: 5_000, changed: 50 },
  { ports: 10_000, live: 150, changed: 3 },
])('of $ports ports $live are live and $changed changed: a run stays within the bound', async (options) => {
  const world = await createSyncWorld(options);
  const run = await world.run();
  expect(world.waiting()).toBe(0);
  expect(run.calls).toBe(run.pageCalls + run.detailCalls);
  expect(run.calls).toBeLessThanOrEqual(Math.min(world.pages, options.live) + options.changed + 2);
});

test.each([
  { what: 'every port is due', live: 8_000 },
  { what: 'a tenth of the ports is due', live: 800 },
])('a list of which a run reads a quarter is carried on until nobody waits: $what', async ({ live }) => {
  const world = await createSyncWorld({ ports: 8_000, live, changed: 0, budgetMs: 24_000 });
  let runs = 0;
  while (world.waiting() > 0 && runs < 20) {
    const { pageCalls } = await world.run();
    expect(pageCalls).toBeLessThan(world.pages / 3);
    runs += 1;
  }
  expect(runs).toBeLessThanOrEqual(10);
});

test('of a list that is said to be longer than it is, pages behind its end are read once at most', async () => {
  const world = await createSyncWorld({ ports: 8_000, live: 8_000, changed: 0, pagesSaid: 400 });
  expect((await world.run()).calls).toBeLessThanOrEqual(400 + 2);
  expect(world.waiting()).toBe(0);
});

test('what a run writes is charged by the port it looked at: one for it, two for its move in the index', async () => {
  const [few, many] = await Promise.all([100, 1_100].map((live) => createSyncWorld({ ports: live, live, changed: 0 })));
  const units = ((await many?.run())?.writeUnits ?? 0) - ((await few?.run())?.writeUnits ?? 0);
  // The lease of the run is renewed besides: a unit in ten seconds.
  expect(units / 1_000).toBeCloseTo(3, 2);
});
