import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextCall, pageSize } from '#shared/domain/sync-plan.ts';

/** Plays a run against a list of which `pageOf` says on which page each due port stands; answers the calls made. */
function callsFor(pages: number, pageOf: readonly number[]): number {
  const waiting = new Set(pageOf.keys());
  let calls = 0;
  let pagesLeft: number | undefined;
  for (let page = 1; nextCall({ remaining: waiting.size, pagesLeft }) === 'page'; page += 1) {
    calls += 1;
    for (const port of waiting) if (pageOf[port] === page) waiting.delete(port);
    pagesLeft = pages - page;
  }
  return calls + waiting.size;
}

test('never more calls than min(pages, due) + 2, wherever the due ports stand in the list', () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 60 })
        .chain((pages) =>
          fc.tuple(fc.constant(pages), fc.array(fc.integer({ min: 1, max: pages }), { maxLength: 300 })),
        ),
      ([pages, pageOf]) => {
        expect(callsFor(pages, pageOf)).toBeLessThanOrEqual(Math.min(pages, pageOf.length) + 2);
      },
    ),
    { numRuns: 5_000 },
  );
});

test('nothing due costs no call; one due port among thousands costs one', () => {
  expect(callsFor(2000, [])).toBe(0);
  expect(callsFor(2000, [1999])).toBe(1);
});

test('everything due costs the pages', () => {
  const ports = 10_000;
  const pageOf = Array.from({ length: ports }, (_, index) => Math.floor(index / pageSize) + 1);
  expect(callsFor(ports / pageSize, pageOf)).toBe(ports / pageSize);
});

test('ports that the list does not show are asked for one by one', () => {
  expect(callsFor(2, [9, 9, 9, 9])).toBeLessThanOrEqual(2 + 4);
});
