// The service is unavailable from Friday to Monday. Nothing may be lost, sent twice or dead-lettered, and everything
// continues afterwards.
import { expect, test } from 'vitest';
import { type CallFate, type Faults, noFaults } from './faults.ts';
import { accountId } from './network.ts';
import { type Scenario, smallScenario, type Upload } from './scenario.ts';
import { simulate } from './simulator.ts';

const hour = 3_600_000;
const weekendMs = 62 * hour;
const [{ rows, ...file }] = smallScenario.uploads as readonly [Upload];

/** Two requests are in progress when the outage starts; another file is uploaded during it. */
const scenario: Scenario = {
  ...smallScenario,
  uploads: [
    { ...file, rows: rows.slice(0, 2) },
    { ...file, key: 'create-port/later.csv', at: 20 * hour, rows: rows.slice(2) },
  ],
  calmAt: weekendMs,
  horizonMs: weekendMs + 6 * hour,
};

/** Every call fails, starting with the first Create Port. */
function downWith(fate: CallFate): Faults {
  let isDown = false;
  const call = (effect: string): CallFate => {
    isDown ||= effect === `POST /api/porting/${accountId}`;
    return isDown ? fate : 'done';
  };
  return { ...noFaults, call };
}

test.each<CallFate>(['unreachable', 'lost', 'error-before', 'limited', 'unauthorised'])(
  'fault 42: a weekend on which every call is %s: files and requests wait, and nothing is dead-lettered',
  async (fate) => {
    const faults = downWith(fate);
    const simulated = await simulate({ seed: 3, scenario, faults, faultsPass: true, takesTwice: true });
    expect(simulated).toMatchObject({ violations: [], deadLettered: 0, ports: 3 });
  },
);
