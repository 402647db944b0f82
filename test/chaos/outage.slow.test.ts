// The service is unavailable from Friday to Monday. Nothing may be lost, sent twice or dead-lettered, and everything
// continues afterwards. Lambda counts the invocations of each chain of messages, and stops one after 16 if the template
// does not allow more.
import { expect, test } from 'vitest';
import { synthesise } from '../support/infra/template.ts';
import { simulate } from './chaos.ts';
import { createDice } from './dice.ts';
import { drop } from './drive.ts';
import { isFullSweep } from './fault-runs.ts';
import { type CallFate, type Faults, noFaults } from './faults.ts';
import { type Consumer, consumers, mayRecurse } from './lambda.ts';
import { accountId } from './network.ts';
import { type Scenario, smallScenario, type Upload, validRows } from './scenario.ts';
import { createWorld } from './world.ts';

const hour = 3_600_000;
const [{ rows, ...file }] = smallScenario.uploads as readonly [Upload];

/** Two requests are in progress when the outage starts; another file is uploaded after a third of it. */
const outageOf = (hours: number): Scenario => ({
  ...smallScenario,
  uploads: [
    { ...file, rows: rows.slice(0, 2) },
    { ...file, key: 'create-port/later.csv', at: (hours / 3) * hour, rows: rows.slice(2) },
  ],
  calmAt: hours * hour,
  horizonMs: (hours + 6) * hour,
  // What waits is in the queues: fewer runs of sync show the same in half the time.
  syncEveryMs: hour / 4,
});
const weekend = 62;
/** Long enough that Lambda would stop the chains of what waits. */
const night = 12;

/** Every call fails, starting with the first Create Port. */
function downWith(fate: CallFate): Faults {
  let isDown = false;
  const call = (effect: string): CallFate => {
    isDown ||= effect === `POST /api/porting/${accountId}`;
    return isDown ? fate : 'done';
  };
  return { ...noFaults, call };
}

const fates = ['unreachable', 'lost', 'error-before', 'limited', 'unauthorised'] as const;

test.each(fates.map((fate, index) => [fate, isFullSweep || index === 0 ? weekend : night] as const))(
  'fault 42: every call is %s for %i hours: files and requests wait, and nothing is dead-lettered',
  async (fate, hours) => {
    const [scenario, faults] = [outageOf(hours), downWith(fate)];
    const simulated = await simulate({ seed: 3, scenario, faults, faultsPass: true, takesTwice: true });
    expect(simulated).toMatchObject({ violations: [], deadLettered: 0, ports: 3 });
  },
);

test.each([1, 8].flatMap((requests) => [1, 2].map((seed) => [requests, seed] as const)))(
  'after an outage of token and API of 80 seconds, %i requests are sent within a minute (seed %i)',
  async (requests, seed) => {
    const start = Date.parse('2026-07-06T09:00:00Z');
    const down = downWith('unreachable');
    let failedAt: number | undefined;
    const call = (effect: string, what: () => string): CallFate => {
      if (failedAt !== undefined && world.timeline.now() >= failedAt + 80_000) return 'done';
      const fate = down.call(effect, what);
      if (fate !== 'done') failedAt ??= world.timeline.now();
      return fate;
    };
    const world = createWorld({
      seed,
      dice: createDice(seed),
      start,
      takesTwice: true,
      sabotage: undefined,
      count: () => {},
      faults: () => ({ ...noFaults, call }),
    });
    await drop('create-port/outage.csv', validRows(0, 3 * requests), world);
    while (failedAt === undefined) await world.timeline.step();
    while (await world.timeline.step(failedAt + 80_000 + 60_000));
    expect(world.network.ports()).toHaveLength(requests);
  },
);

test('Lambda would stop the chains of work that waits: the template allows them', async () => {
  const { Resources } = synthesise('prod');
  const allowed = consumers.map((step) => [step, Resources[functionId(step)]?.Properties.RecursiveLoop === 'Allow']);
  expect(Object.fromEntries(allowed)).toEqual(mayRecurse);
});

test.each<Consumer>(['ingest', 'submit'])(
  'without RecursiveLoop: Allow on %s, an outage of eight hours dead-letters its work',
  async (stopped) => {
    const [first, later] = outageOf(8).uploads as readonly [Upload, Upload];
    const scenario = { ...outageOf(8), uploads: [first, { ...later, at: hour }], horizonMs: 8 * hour };
    const allowsRecursion = (step: Consumer) => step !== stopped;
    const options = { faults: downWith('unreachable'), faultsPass: true, allowsRecursion };
    expect((await simulate({ seed: 3, scenario, ...options })).deadLettered).toBeGreaterThan(0);
  },
);

const functionId = (step: Consumer): string => `${step.charAt(0).toUpperCase()}${step.slice(1)}Function`;
