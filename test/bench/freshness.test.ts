// How soon sync sees a change, on a simulated account: the figures of docs/contributing/performance.md come from the
// same program.
import { expect, test } from 'vitest';
import { createFreshnessScenario } from '../support/freshness-scenario.ts';

const minute = 60_000;
const longest = (delays: readonly number[]): number => Math.max(...delays);

test('a small account: each change of the port date is seen within an hour, with a fraction of the calls', () => {
  const scenario = createFreshnessScenario({ ports: 300, callsPerSecond: 10 });
  scenario.run(1);
  const { calls, livePorts, delays } = scenario.run(1);
  expect(livePorts).toBeGreaterThan(200);
  expect(delays('Complete').length).toBeGreaterThan(10);
  expect(longest(delays('Submitted'))).toBeLessThanOrEqual(10 * minute);
  expect(longest(delays('Ported'))).toBeLessThanOrEqual(25 * minute);
  expect(longest(delays('Complete'))).toBeLessThanOrEqual(70 * minute);
  expect(calls).toBeLessThan(86_400 / 20);
});

// When every run read a list of up to 100 pages from its first page, nobody saw the changes of its last ports for days.
test('a rate limit that is far too low delays changes by hours, not days', () => {
  const scenario = createFreshnessScenario({ ports: 2_000, callsPerSecond: 0.1 });
  scenario.run(1);
  const { delays } = scenario.run(2);
  for (const status of ['Submitted', 'Ported', 'Complete'] as const) {
    expect(delays(status).length).toBeGreaterThan(300);
    expect(longest(delays(status))).toBeLessThanOrEqual(12 * 60 * minute);
  }
});
