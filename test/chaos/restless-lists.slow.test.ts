// Port lists whose faults never end, while most answers to Create Port are lost.
import { expect, test, vi } from 'vitest';
import { swept } from './fault-runs.ts';
import { statedFigure } from './reliability-page.ts';
import { simulateLists } from './restless-lists.ts';

/** A minute is enough only on an idle machine. */
vi.setConfig({ testTimeout: 300_000 });

const seeds = Array.from({ length: 25 }, (_, index) => index + 1);

test('nothing is sent twice or lost with a port list that never calms, with any seed', async () => {
  for (const seed of swept(seeds)) {
    const { violations } = await simulateLists(seed);
    expect({ seed, violations }).toEqual({ seed, violations: [] });
  }
});

test('docs/contributing/reliability.md states how many seeds there are', () => {
  expect(statedFigure('port lists that never calm')).toBe(`${seeds.length}`);
});
