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

test('the same seed is the same run', async () => {
  const first = await simulate({ seed: 4711 });
  const second = await simulate({ seed: 4711 });
  expect(second).toEqual(first);
});

test('other seeds are other runs', async () => {
  const fingerprints = new Set<string>();
  for (const seed of [1, 2, 3, 4]) fingerprints.add((await simulate({ seed })).fingerprint);
  expect(fingerprints.size).toBe(4);
});
