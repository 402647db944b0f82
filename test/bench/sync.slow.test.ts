// The upper limit on the calls of a sync run, and that every port is read although the list is too long for one run.
// Calls are counted, so the figures are the same on every machine.
import { expect, test } from 'vitest';
import { createSyncScenario } from '../support/steps/sync-scenario.ts';

test.each([
  { ports: 100, live: 100, changed: 1 },
  { ports: 1_000, live: 1_000, changed: 30 },
  { ports: 1_000, live: 40, changed: 40 },
  { ports: 10_000, live: 5_000, changed: 50 },
  { ports: 10_000, live: 150, changed: 3 },
])('$ports ports, $live live, $changed changed: a run stays within the limit', async (options) => {
  const scenario = await createSyncScenario(options);
  const run = await scenario.run();
  expect(scenario.waiting()).toBe(0);
  expect(run.calls).toBe(run.pageCalls + run.detailCalls);
  expect(run.calls).toBeLessThanOrEqual(Math.min(scenario.pages, options.live) + options.changed + 2);
});

test.each([
  { what: 'every port is due', live: 8_000 },
  { what: 'a tenth of the ports is due', live: 800 },
])(
  'if a run can read a quarter of the list, later runs continue until every port was read: $what',
  async ({ live }) => {
    const scenario = await createSyncScenario({ ports: 8_000, live, changed: 0, budgetMs: 9_750 });
    let runs = 0;
    while (scenario.waiting() > 0 && runs < 20) {
      const { pageCalls } = await scenario.run();
      expect(pageCalls).toBeLessThan(scenario.pages / 3);
      runs += 1;
    }
    expect(runs).toBeLessThanOrEqual(10);
  },
);

test.each([48_000, 240_000])(
  'with a hundred calls at once and a slow table, no run of %i ms is killed, and every port is read',
  async (budgetMs) => {
    const many = { ports: 1_500, live: 1_500, changed: 1_500 };
    // A machine that records seven ports in a second, each with a hundred rows: a hundred at once take 15 s.
    const scenario = await createSyncScenario({ ...many, budgetMs, width: 100, writeMs: 15_000 });
    for (let runs = 0; scenario.waiting() > 0 && runs < 50; runs += 1) {
      const { remainingMs, polled } = await scenario.run();
      expect(remainingMs).toBeGreaterThan(0);
      expect(polled).toBeGreaterThan(0);
    }
    expect(scenario.waiting()).toBe(0);
  },
);

test('if the list reports more pages than it has, pages after its end are read at most once', async () => {
  const scenario = await createSyncScenario({ ports: 8_000, live: 8_000, changed: 0, reportedPages: 400 });
  expect((await scenario.run()).calls).toBeLessThanOrEqual(400 + 2);
  expect(scenario.waiting()).toBe(0);
});

test('a run costs three write units per port that it read: one for the port, two for its index entry', async () => {
  const [few, many] = await Promise.all(
    [100, 1_100].map((live) => createSyncScenario({ ports: live, live, changed: 0 })),
  );
  const units = ((await many?.run())?.writeUnits ?? 0) - ((await few?.run())?.writeUnits ?? 0);
  // Renewing the lease of the run adds one unit per ten seconds.
  expect(units / 1_000).toBeCloseTo(3, 2);
});
