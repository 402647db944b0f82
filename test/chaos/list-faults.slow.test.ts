// A port list that changes while it is paged, or reports a wrong length, during the search for ports whose answers were
// lost.
import { expect, test } from 'vitest';
import { simulate } from './chaos.ts';
import { swept } from './fault-runs.ts';
import { type Faults, noFaults } from './faults.ts';
import type { Sabotage } from './pipeline.ts';
import { type ListFate, listFates } from './port-list.ts';
import { smallScenario } from './scenario.ts';

const create = 'POST /api/porting/1001';

/** The answers to the first two Create Port calls are lost, and some readings of the list are disturbed. */
function lostAndDisturbed(fate: ListFate, isDisturbed: (reading: number) => boolean): Faults {
  let created = 0;
  let read = 0;
  return {
    ...noFaults,
    call: (effect) => {
      if (effect !== create) return 'done';
      created += 1;
      return created <= 2 ? 'reset' : 'done';
    },
    list: () => {
      read += 1;
      return isDisturbed(read) ? fate : 'steady';
    },
  };
}

/** The disturbed reading, and the seed. */
const cases = [1, 2, 3].flatMap((seed) => [1, 2].map((disturbed) => [disturbed, seed] as const));

/** The numbers of the invariants that a run violates. */
async function violationsOf(
  fate: ListFate,
  seed: number,
  isDisturbed: (reading: number) => boolean,
  sabotage?: Sabotage,
) {
  const faults = lostAndDisturbed(fate, isDisturbed);
  const scenario = smallScenario;
  const { violations } = await simulate({ seed, scenario, faults, takesTwice: true, strangers: 70, sabotage });
  return violations.map((violation) => violation.slice(0, 2));
}

test.each(listFates.map((fate, index) => [fate, index] as const))(
  'fault 44: a list of which one reading is disturbed (%s) leads to no second port',
  async (fate, index) => {
    for (const [disturbed, seed] of swept(cases, index, 3)) {
      expect(await violationsOf(fate, seed, (reading) => reading === disturbed)).toEqual([]);
    }
  },
);

test('a list that turns over in every scan leads to no second port', async () => {
  for (const seed of [1, 2, 3]) expect(await violationsOf('turns-over', seed, () => true)).toEqual([]);
});

/** Whether a number is ported twice in one of the cases. */
async function portsTwice(fate: ListFate, sabotage: Sabotage): Promise<boolean> {
  for (const [disturbed, seed] of cases) {
    const violations = await violationsOf(fate, seed, (reading) => reading === disturbed, sabotage);
    if (violations.includes('I3')) return true;
  }
  return false;
}

test('with one reading only, a number would be ported twice', async () => {
  /** The second reading repeats the first. */
  const onceOnly: Sabotage = {
    syncClient: (client) => {
      const known = new Map<number, ReturnType<typeof client.listPorts>>();
      return {
        ...client,
        listPorts: (page, size) => {
          const answer = known.get(page) ?? client.listPorts(page, size);
          known.set(page, answer);
          return answer;
        },
      };
    },
  };
  expect(await portsTwice('turns-over', onceOnly)).toBe(true);
});

test('without comparing the ports with the length of the list, a number would be ported twice', async () => {
  const uncounted: Sabotage = {
    syncClient: (client) => ({
      ...client,
      listPorts: async (page, size) => {
        const list = await client.listPorts(page, size);
        return { ...list, total: list.data.length };
      },
    }),
  };
  expect(await portsTwice('emptied', uncounted)).toBe(true);
});
