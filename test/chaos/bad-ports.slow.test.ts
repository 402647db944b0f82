// The service answers every read of some ports with 500 for days, and works otherwise. The other ports complete, and
// once the unreadable ports can be read, they complete too.
import { expect, test } from 'vitest';
import { numberAt, simAt } from '../support/ingest/valid-rows.ts';
import { simulate } from './chaos.ts';
import { type Faults, noFaults } from './faults.ts';
import { accountId } from './network.ts';
import { type Scenario, smallScenario } from './scenario.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const [upload] = smallScenario.uploads;

/** Eight ports of three numbers each, followed for a week in which some cannot be read. */
const scenario: Scenario = {
  ...smallScenario,
  uploads: [
    {
      ...(upload ?? { at: 0, key: '', notifications: 1 }),
      rows: Array.from({ length: 24 }, (_, index) => ({
        msisdn: numberAt(index),
        serialNo: simAt(index),
        pac: `QZX7351${String(index).padStart(2, '0')}`,
        boltOns: '',
      })),
    },
  ],
  calmAt: 7 * day,
  horizonMs: 14 * day,
  // Often enough for ports that take days, with few runs.
  syncEveryMs: 60 * minute,
  isWhole: true,
};

/**
 * Fails the reads of the selected ports, numbered in the order of their first read, after their first `readings` reads.
 */
function unreadable(isBad: (place: number) => boolean, readings: number): Faults {
  const read = new Map<string, number>();
  const call = (effect: string) => {
    if (!effect.startsWith(`GET /api/porting/${accountId}/port/`)) return 'done';
    const before = read.get(effect) ?? 0;
    read.set(effect, before + 1);
    const place = [...read.keys()].indexOf(effect);
    return isBad(place) && before >= readings ? 'error-before' : 'done';
  };
  return { ...noFaults, call };
}

test.each([
  { which: 'the oldest six', isBad: (place: number) => place < 6, readings: 0 },
  { which: 'the newest six', isBad: (place: number) => place >= 2, readings: 1 },
])('$which of eight ports, shown $readings times and then answered 500: the others are complete', async (bad) => {
  const faults = unreadable(bad.isBad, bad.readings);
  const simulated = await simulate({ seed: 3, scenario, faults, faultsPass: true, takesTwice: true });
  expect(simulated.known.filter((status) => status === 'Complete')).toHaveLength(2);
  expect(simulated).toMatchObject({ violations: [], deadLettered: 0, ports: 8 });
});
