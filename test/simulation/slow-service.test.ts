// A service that takes more than half a second for each call: the rate limit decides how long an import takes, and not
// how long the service needs for a call (docs/decisions/0041).
import { expect, test } from 'vitest';
import { createDice } from './dice.ts';
import { drop } from './drive.ts';
import { noFaults } from './faults.ts';
import { callsPerSecond } from './pipeline.ts';
import { validRows } from './scenario.ts';
import { createWorld } from './world.ts';

const start = Date.parse('2026-07-06T09:00:00Z');
const requests = 150;
/** Of the question, and of the answer. */
const latencyMs = 300;
/** Submission and read-back, of which the simulation leaves some to sync. */
const callsPerRequest = 2;

test('calls use the rate limit', async () => {
  const dice = createDice(1);
  const fates = { faults: () => noFaults, takesTwice: true, sabotage: undefined, latencyMs: () => latencyMs };
  const world = createWorld({ seed: 1, dice, start, ...fates, count: () => {} });
  // Three rows are a request here.
  await drop('create-port/large.csv', validRows(0, 3 * requests), world);
  const created: number[] = [];
  while (created.length < requests && (await world.timeline.step(start + 600_000))) {
    while (created.length < world.network.ports().length) created.push(world.timeline.now());
  }
  expect(created).toHaveLength(requests);
  const seconds = ((created.at(-1) ?? 0) - (created[0] ?? 0)) / 1000;
  expect(seconds).toBeLessThan((1.2 * callsPerRequest * requests) / callsPerSecond);
});
