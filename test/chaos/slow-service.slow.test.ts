// A service that takes up to three seconds for each call: the rate limit decides how long an import takes, and not how
// long the service needs for a call (docs/decisions/0041).
import { expect, test } from 'vitest';
import { readConfiguration } from '#infra/config.ts';
import { submitBatchSize, submitConcurrency } from '#infra/derived-settings.ts';
import { contextOf } from '../support/infra/template.ts';
import { createDice } from './dice.ts';
import { drop } from './drive.ts';
import { swept } from './fault-runs.ts';
import { noFaults } from './faults.ts';
import { callsPerSecond } from './pipeline.ts';
import { validRows } from './scenario.ts';
import { createWorld } from './world.ts';

const start = Date.parse('2026-07-06T09:00:00Z');
const requests = 100;

test.each(swept([100, 300, 1_000, 2_000, 3_000], 0, 2))(
  'calls of %i ms use at least 95 percent of the rate limit while requests wait',
  async (milliseconds) => {
    const calls: number[] = [];
    const latencyMs = (): number => {
      calls.push(world.timeline.now());
      return milliseconds / 2;
    };
    const configuration = { ...readConfiguration('prod', contextOf('prod')), callsPerSecond };
    const invocations = submitConcurrency(configuration);
    const world = createWorld({
      seed: 1,
      dice: createDice(1),
      start,
      faults: () => noFaults,
      takesTwice: true,
      sabotage: undefined,
      latencyMs,
      submit: { invocations, batch: submitBatchSize(configuration) },
      count: () => {},
    });
    // Three rows are a request here.
    await drop('create-port/large.csv', validRows(0, 3 * requests), world);
    const created: number[] = [];
    while (created.length < requests && (await world.timeline.step(start + 600_000))) {
      while (created.length < world.network.ports().length) created.push(world.timeline.now());
    }
    expect(created).toHaveLength(requests);
    // Of the middle of the import: before, lookups fill the lists of each instance; at its end, too little is left.
    const [from, to] = [created[Math.floor(requests / 4)] ?? 0, created[Math.floor(0.9 * requests)] ?? 0];
    const made = calls.filter((at) => at > from && at <= to).length / 2;
    expect(made / ((to - from) / 1_000)).toBeGreaterThanOrEqual(0.95 * callsPerSecond);
  },
);
