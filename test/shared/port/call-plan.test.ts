import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextCall, pageAfter, pageSize, pagesFrom, secondPage } from '#shared/port/poll-schedule.ts';

/** Simulates a run: `pageOf` is the page of each due port. Answers the calls made. */
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

test('never more calls than min(pages, due) + 2, wherever the due ports are in the list', () => {
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

test.each([
  [0, undefined, 'done'],
  [0, 5, 'done'],
  [2, undefined, 'direct'],
  [3, undefined, 'page'],
  [3, 2, 'page'],
  [3, 3, 'direct'],
  [3, 0, 'direct'],
] as const)('with %s ports left and %s pages the next call is %s', (remaining, pagesLeft, call) => {
  expect(nextCall({ remaining, pagesLeft })).toBe(call);
});

test.each([
  // Where 100,000 ports are loaded of more that are due, and the list has 6,000,000 ports or more.
  [100_000, 120_000, { pages: 19, ports: 0 }, 'page'],
  [100_000, 120_000, { pages: 20, ports: 20 }, 'direct'],
  [100_000, 120_000, { pages: 20, ports: 21 }, 'page'],
  [100_000, 200_000, { pages: 40, ports: 2_000 }, 'page'],
  [100_000, 99_999, { pages: 40, ports: 0 }, 'page'],
  [0, 10, { pages: 40, ports: 400 }, 'page'],
  [0, 10, { pages: 40, ports: 40 }, 'done'],
  [0, 0, { pages: 40, ports: 400 }, 'done'],
  [5, 0, { pages: 40, ports: 400 }, 'direct'],
] as const)('%i known of more due ports, %i pages left, %o: %s', (remaining, pagesLeft, sample, call) => {
  expect(nextCall({ remaining, pagesLeft, sample })).toBe(call);
});

test('every run starts at another place of the list', () => {
  const places = Array.from({ length: 5 }, (_, run) => secondPage(1_001, run * 5 * 60_000));
  expect(places).toEqual([2, 620, 238, 856, 474]);
});

test('everything due costs the pages', () => {
  const ports = 10_000;
  const pageOf = Array.from({ length: ports }, (_, index) => Math.floor(index / pageSize) + 1);
  expect(callsFor(ports / pageSize, pageOf)).toBe(ports / pageSize);
});

test('ports that the list does not show are asked for one by one', () => {
  expect(callsFor(2, [9, 9, 9, 9])).toBeLessThanOrEqual(2 + 4);
});

test('from any place of a list, as many pages as it has are all of its pages', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5_000 }), fc.nat({ max: 4e12 }), (pages, wallMs) => {
      const read = new Set([1]);
      let page = secondPage(pages, wallMs);
      for (let more = 1; more < pages; more += 1) {
        read.add(page);
        page = pageAfter(page, pages);
      }
      expect(read.size).toBe(pages);
      expect([Math.min(...read), Math.max(...read)]).toEqual([1, pages]);
    }),
    { numRuns: 200 },
  );
});

test('pages that are read together follow each other, and start over at page 2', () => {
  expect(pagesFrom(1, 1, Number.POSITIVE_INFINITY)).toEqual([1]);
  expect(pagesFrom(3, 4, 5)).toEqual([3, 4, 5, 2]);
});

test('runs that each read a fifth of a list have read all of it after eight', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5_000 }), fc.integer({ min: 0, max: 10_000_000 }), (pages, first) => {
      const read = new Set([1]);
      for (let run = 0; run < 8; run += 1) {
        let page = secondPage(pages, (first + run) * 5 * 60_000);
        for (let more = 0; more < Math.ceil(pages / 5); more += 1) {
          read.add(page);
          page = pageAfter(page, pages);
        }
      }
      expect(read.size).toBe(pages);
    }),
    { numRuns: 300 },
  );
});
