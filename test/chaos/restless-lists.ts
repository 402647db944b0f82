// Port lists that never calm: pages shift, totals are wrong, ports leave the list for ever, and most answers to
// Create Port are lost. Faults of the list do not end, so every outcome must be found out in spite of them.

import { type Simulated, simulate } from './chaos.ts';
import { createDice, type Dice } from './dice.ts';
import { callFates, type Faults, noFaults } from './faults.ts';
import { listFates } from './port-list.ts';
import { randomScenario, type Scenario, validRows } from './scenario.ts';

const create = 'POST /api/porting/1001';
/** Answers to Create Port after which it is unknown whether the service has the port. */
const lost = [
  ...(['reset', 'error', 'truncated', 'hang', 'lost', 'error-before', 'gateway-page', 'web-page'] as const),
  ...(['committed-late', 'committed-hours-later', 'delivered-twice'] as const),
];
/** Then calls succeed, so that everything can complete. */
const mostLost = 25;
const minute = 60_000;
/** A search that proves nothing is repeated after up to an hour, eight times. */
const twoDays = 48 * 60 * minute;

export async function simulateLists(seed: number): Promise<Simulated> {
  const dice = createDice(seed ^ 0x7d17);
  const counts = new Map<string, number>();
  const isSlow = dice.chance(0.3);
  const simulated = await simulate({
    seed,
    scenario: {
      ...(dice.chance(0.4) ? manyFiles(dice) : randomScenario(createDice(seed))),
      horizonMs: twoDays,
      isWhole: false,
    },
    faults: lossyFaults(dice, counts),
    takesTwice: dice.chance(0.5),
    strangers: isSlow ? dice.pick([140, 260, 420]) : dice.pick([0, 55, 70, 99, 140]),
    list: {
      listHabits: {
        order: dice.pick(['front', 'middle', 'end']),
        isRestless: dice.chance(0.5),
        forgetsCancelled: dice.chance(0.5),
        removes: () => dice.chance(0.02),
      },
      // A run reads two or three pages, so a search takes several runs.
      ...(isSlow && { listPauseMs: () => dice.between(30_000, 70_000), syncCallsAtOnce: dice.between(1, 2) }),
    },
  });
  return { ...simulated, counts: new Map([...simulated.counts, ...counts]) };
}

function lossyFaults(dice: Dice, counts: Map<string, number>): Faults {
  const lossRate = dice.pick([0.2, 0.6]);
  const listRate = dice.pick([0.1, 0.2, 0.4]);
  let creates = 0;
  const noted = <Fate extends string>(kind: string, fate: Fate): Fate => {
    counts.set(`${kind} ${fate}`, (counts.get(`${kind} ${fate}`) ?? 0) + 1);
    return fate;
  };
  return {
    ...noFaults,
    aws: () => (dice.chance(0.002) ? dice.pick(['killed-before', 'killed-after'] as const) : 'done'),
    call: (effect) => {
      if (effect !== create) return dice.chance(0.003) ? dice.pick(callFates) : 'done';
      creates += 1;
      return creates <= mostLost && dice.chance(lossRate) ? noted('create', dice.pick(lost)) : 'done';
    },
    list: () => (dice.chance(listRate) ? noted('list', dice.pick(listFates)) : 'steady'),
  };
}

/** Files over some hours, so that searches for early requests meet the ports of later ones. */
const manyFiles = (dice: Dice): Scenario => ({
  uploads: Array.from({ length: 6 }, (_, file) => ({
    at: file * 35 * minute + dice.between(0, 30 * minute),
    key: `create-port/file-${file}.csv`,
    rows: validRows(file * 8, dice.between(1, 7)),
    notifications: 1,
  })),
  cancels: [],
  calmAt: 240 * minute,
  horizonMs: twoDays,
  isWhole: false,
});
