// The pipeline under random faults, seed by seed. No invariant may be violated, and every seed can be repeated.
import { expect, test, vi } from 'vitest';
import { type Simulated, simulate } from './chaos.ts';
import { swept } from './fault-runs.ts';
import { statedFigure } from './reliability-page.ts';

/** A minute is enough only on an idle machine. */
vi.setConfig({ testTimeout: 300_000 });

/** `CHAOS_SEED=…` repeats one seed. */
const chosen = process.env.CHAOS_SEED;
const usualSeeds = Array.from({ length: 50 }, (_, index) => index + 1);
const seeds = chosen === undefined ? swept(usualSeeds) : [Number(chosen)];

/** How to repeat the failure; empty without violations. */
const complaintOf = ({ seed, violations }: Simulated): string =>
  violations.length === 0 ? '' : `CHAOS_SEED=${seed} npx vitest run test/chaos\n${violations.join('\n')}`;

test('nothing is lost and nothing is done twice, with any seed', async () => {
  const counts = new Map<string, number>();
  for (const seed of seeds) {
    const simulated = await simulate({ seed });
    for (const [name, times] of simulated.counts) counts.set(name, (counts.get(name) ?? 0) + times);
    expect(complaintOf(simulated)).toBe('');
  }
  const hits = [...counts].filter(([name]) => !name.startsWith('invoked'));
  console.log(`${seeds.length} seeds: ${hits.map(([name, times]) => `${name} ${times}`).join(', ')}`);
});

test('docs/contributing/reliability.md states how many seeds there are', () => {
  expect(statedFigure('random seeds')).toBe(`${usualSeeds.length}`);
});

test('the same seed is the same run, and another seed is another run', async () => {
  const first = await simulate({ seed: 4711 });
  expect(await simulate({ seed: 4711 })).toEqual(first);
  expect((await simulate({ seed: 4712 })).fingerprint).not.toBe(first.fingerprint);
});
