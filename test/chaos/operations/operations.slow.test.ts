// Text messages, bars, provisioning and port changes under random faults: each is done once or requires action.
import { expect, test } from 'vitest';
import { swept } from '../fault-runs.ts';
import { statedFigure } from '../reliability-page.ts';
import { simulateOperations } from './simulate-operations.ts';

const timeout = 300_000;

/** `OPERATIONS_SEED=…` repeats one seed. */
const chosen = process.env.OPERATIONS_SEED;
const usualSeeds = Array.from({ length: 15 }, (_, index) => index + 1);
const seeds = chosen === undefined ? swept(usualSeeds) : [Number(chosen)];

test('docs/contributing/reliability.md states how many seeds there are', () => {
  expect(statedFigure('texts, corrections of texts')).toBe(`${usualSeeds.length} seeds`);
});

test('every request is executed exactly once, or its outcome is reported as unknown', { timeout }, async () => {
  const sums = new Map<string, number>();
  for (const seed of seeds) {
    const { violations, counts } = await simulateOperations(seed);
    for (const [name, times] of counts) sums.set(name, (sums.get(name) ?? 0) + times);
    expect(violations, `OPERATIONS_SEED=${seed} npx vitest run test/chaos/operations`).toEqual([]);
  }
  console.log(`${seeds.length} seeds: ${[...sums].map(([name, times]) => `${name} ${times}`).join(', ')}`);
});

test('a submission of unknown outcome that is sent again is detected', { timeout }, async () => {
  const caught = new Set<string>();
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    if (caught.has('I3')) break;
    const { violations } = await simulateOperations(seed, {
      requests: (requests) => ({
        ...requests,
        // Once each: one whose call is always declined would be sent without end.
        replace: (seen, next) =>
          requests.replace(seen, next.state === 'unknown' && next.attempt === 1 ? { ...next, state: 'planned' } : next),
      }),
    });
    for (const violation of violations) caught.add(violation.slice(0, 2));
  }
  expect(caught).toContain('I3');
});

test('a part of a divided request that is never sent is detected', { timeout }, async () => {
  const caught = new Set<string>();
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    if (caught.size > 0) break;
    const { violations } = await simulateOperations(seed, {
      requests: (requests) => ({
        ...requests,
        // As if the parts had been written without the last one.
        replace: (seen, next) =>
          requests.replace(seen, { ...next, ...(next.parts && { parts: next.parts.slice(0, -1) }) }),
      }),
    });
    for (const violation of violations) caught.add(violation.replace(/^(I\d) line \d+ .*: /, '$1 '));
  }
  expect(caught).toContain('I8 it has not ended');
});

test('two corrections of a row that do not claim it are detected', { timeout }, async () => {
  const caught = new Set<string>();
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    if (caught.has('IN row N was sent by N corrections')) break;
    const { violations } = await simulateOperations(seed, {
      numbers: (numbers) => ({
        ...numbers,
        claim: (claims) => numbers.claim(claims.filter(({ number }) => !number.includes('/'))),
      }),
    });
    for (const violation of violations) caught.add(violation.replace(/\d+/g, 'N'));
  }
  expect(caught).toContain('IN row N was sent by N corrections');
});
