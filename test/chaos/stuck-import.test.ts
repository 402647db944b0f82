// Ingest crashes in the middle of a file. SQS hides its message for 90 minutes, and the import does not wait for that.
import { expect, test } from 'vitest';
import { simulate } from './chaos.ts';
import { type CallFate, type Faults, noFaults } from './faults.ts';
import { type Scenario, smallScenario } from './scenario.ts';

const minute = 60_000;
const scenario: Scenario = { ...smallScenario, calmAt: 15 * minute, horizonMs: 60 * minute };

/** The first call, of ingest, is the last thing that its environment does. */
function crashingOnce(): Faults {
  let crashes = 0;
  const call = (): CallFate => {
    crashes += 1;
    return crashes === 1 ? 'killed-before' : 'done';
  };
  return { ...noFaults, call };
}

test('an import whose ingest crashed has its ports within 15 minutes', async () => {
  const simulated = await simulate({ seed: 3, scenario, faults: crashingOnce() });
  expect(simulated).toMatchObject({ violations: [], deadLettered: 0, ports: 2 });
  expect(simulated.known).toHaveLength(2);
});
