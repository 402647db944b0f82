// A port list that changes while it is paged, or reports a wrong length, during the search for ports whose answers were
// lost.
import { expect, test } from 'vitest';
import { simulate } from './chaos.ts';
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

async function violationsWith(
  fate: ListFate,
  sabotage?: Sabotage,
  isAlsoDisturbed: (reading: number) => boolean = () => false,
): Promise<string[]> {
  const violations = new Set<string>();
  for (const disturbed of [1, 2]) {
    for (let seed = 1; seed <= 3; seed += 1) {
      const faults = lostAndDisturbed(fate, (reading) => reading === disturbed || isAlsoDisturbed(reading));
      const simulated = await simulate({
        seed,
        scenario: smallScenario,
        faults,
        takesTwice: true,
        strangers: 70,
        sabotage,
      });
      for (const violation of simulated.violations) violations.add(violation.slice(0, 2));
    }
  }
  return [...violations];
}

test.each(listFates)(
  'fault 44: a list of which one reading is disturbed (%s) leads to no second port',
  async (fate) => {
    expect(await violationsWith(fate)).toEqual([]);
  },
);

test('a list that turns over in every scan leads to no second port', async () => {
  expect(await violationsWith('turns-over', undefined, () => true)).toEqual([]);
});

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
  expect(await violationsWith('turns-over', onceOnly)).toContain('I3');
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
  expect(await violationsWith('emptied', uncounted)).toContain('I3');
});
