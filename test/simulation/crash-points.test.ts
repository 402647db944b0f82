// Every await of ingest, submit, sync and report in the life of one small import: killed before and after its effect,
// throttled, its answer lost; every call to the service broken in every way.
import { describe, expect, test } from 'vitest';
import { type AwsFate, type CallFate, callFates, faultsAt } from './faults.ts';
import { smallScenario } from './scenario.ts';
import { type Simulated, simulate } from './simulator.ts';

type Points = readonly (readonly [number, AwsFate | CallFate])[];

/** A service that takes a number twice: it would not hide a second call by refusing it. */
const run = async (points: Points): Promise<Simulated & { readonly names: readonly string[] }> => {
  const faults = faultsAt(new Map(points));
  const simulated = await simulate({ seed: 1, scenario: smallScenario, faults, takesTwice: true });
  return { ...simulated, names: faults.effects };
};

const undisturbed = await run([]);
const places = undisturbed.names.map((name, index) => ({ name, place: index + 1 }));

/** Runs all of them; answers those that broke an invariant, in words. */
async function broken(runs: readonly Points[]): Promise<string[]> {
  const complaints: string[] = [];
  for (const points of runs) {
    const { violations, names } = await run(points);
    const where = points.map(([place, fate]) => `${fate} at effect ${place}, ${names[place - 1]}`).join('; ');
    if (violations.length > 0) complaints.push(`${where}: ${violations.join('; ')}`);
  }
  return complaints;
}

test('the small import itself goes through', () => {
  expect(undisturbed).toMatchObject({ violations: [], ports: 2 });
  const calls = places.filter(({ name }) => name.includes(' /')).length;
  console.log(`${places.length} effects, ${calls} of them calls to the service`);
});

describe('at every effect', () => {
  test.each(['killed-before', 'killed-after', 'throttled', 'repeated'] as const)(
    '%s: nothing is lost, nothing is done twice',
    async (fate) => {
      expect(await broken(places.map(({ place }) => [[place, fate]]))).toEqual([]);
    },
  );

  test('killed twice, the second time while the first is being mended', async () => {
    const pairs = places.flatMap(({ place }): Points[] =>
      [3].map((later) => [
        [place, 'killed-after'],
        [place + later, 'killed-before'],
      ]),
    );
    expect(await broken(pairs)).toEqual([]);
  });
});

test.each(callFates)('at every call to the service, %s', async (fate) => {
  const calls = places.filter(({ name }) => name.includes(' /'));
  expect(await broken(calls.map(({ place }) => [[place, fate]]))).toEqual([]);
});
