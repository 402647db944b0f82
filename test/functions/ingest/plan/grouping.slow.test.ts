// Rows are gathered into as few requests as possible, in bounded memory.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Grouping, type GroupingLimits, waitingLimits } from '#functions/ingest/plan/grouping.ts';
import { ContentHash, RowJson } from '#functions/ingest/plan/row-json.ts';

const shapes = new Map<number, { label: string; head: string }>();
const shapeOf = (combination: number) => {
  const known = shapes.get(combination) ?? { label: `${combination}`, head: `{"combination":${combination}}` };
  shapes.set(combination, known);
  return known;
};

interface Request {
  readonly head: string;
  readonly rows: readonly number[];
}

/** As long as those of create-port. */
const usualRow = {
  subject: '447700900123',
  wire: {
    msisdn: '07700900123',
    serialNo: '89441100681234567879',
    pac: 'ABC123456',
    esim: false,
    pacExpiry: '2026-07-31',
  },
};

/** Groups rows of these combinations; the line of each row is its index. */
function group(combinations: Iterable<number>, limits: Partial<GroupingLimits> = {}) {
  const requests: Request[] = [];
  const all = { maxRowsPerRequest: 100, ...waitingLimits, ...limits };
  const grouping = new Grouping(all, new ContentHash('create-port'), ({ head }, rows, lines) => {
    const planned = JSON.parse(`[${Buffer.from(rows)}]`) as { readonly line: number }[];
    expect(planned.map(({ line }) => line)).toEqual(lines);
    requests.push({ head, rows: planned.map(({ line }) => line) });
  });
  const row = new RowJson();
  let index = 0;
  for (const combination of combinations) {
    row.write(index, usualRow);
    grouping.add(shapeOf(combination), row, index);
    index += 1;
  }
  for (const _ of grouping.emitOpen()) expect(requests.length).toBeGreaterThan(0);
  return { requests, emittedEarly: grouping.emittedEarly };
}

/** A seeded shuffle: the same on every machine. */
function shuffled(values: readonly number[]): number[] {
  const mixed = [...values];
  let state = 1;
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other] as number, mixed[at] as number];
  }
  return mixed;
}

const rowsOf = (combinations: number, rowsEach: number): number[] =>
  Array.from({ length: combinations * rowsEach }, (_, index) => index % combinations);

describe('within the bounds there are no more requests than necessary', () => {
  test.each([
    ['2,000 combinations, shuffled', shuffled(rowsOf(2000, 150)), 4000],
    ['5,000 combinations in rotation, the last row of each at the end', rowsOf(5000, 100), 5000],
    ['20,000 combinations of a few rows in rotation', rowsOf(20_000, 25), 20_000],
    ['25,000 combinations, sorted', rowsOf(25_000, 10).sort((one, other) => one - other), 25_000],
  ])('%s', (_name, combinations, minimum) => {
    const { requests, emittedEarly } = group(combinations);
    expect({ requests: requests.length, emittedEarly }).toEqual({ requests: minimum, emittedEarly: 0 });
  });
});

test('for any bounds each row is in one request, of its combination, in file order', () => {
  const limits = fc.record({
    maxRowsPerRequest: fc.integer({ min: 1, max: 5 }),
    maxOpenGroups: fc.integer({ min: 1, max: 6 }),
    maxWaitingBytes: fc.integer({ min: 1, max: 3000 }),
  });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 200 }), limits, (combinations, bounds) => {
      const { requests } = group(combinations, bounds);
      const grouped = requests.flatMap(({ head, rows }) => rows.map((row) => [row, head] as const));
      expect(new Map(grouped)).toEqual(new Map(combinations.map((one, index) => [index, shapeOf(one).head])));
      expect(grouped).toHaveLength(combinations.length);
      for (const { rows } of requests) {
        expect(rows.length).toBeLessThanOrEqual(bounds.maxRowsPerRequest);
        expect(rows).toEqual([...rows].sort((one, other) => one - other));
      }
    }),
  );
});

describe('when there are too many', () => {
  test('open groups, those with the most rows are closed, the oldest first', () => {
    const { requests, emittedEarly } = group([1, 2, 2, 3, 3, 4, 5], { maxOpenGroups: 4 });
    expect(requests.map(({ head }) => JSON.parse(head).combination)).toEqual([2, 1, 3, 4, 5]);
    expect(emittedEarly).toBe(1);
  });

  test('bytes in waiting rows, only as many groups are closed as have to be', () => {
    const { requests, emittedEarly } = group(shuffled(rowsOf(50, 90)), { maxWaitingBytes: 512 * 256 });
    expect(emittedEarly).toBeGreaterThan(0);
    expect(requests.length).toBeLessThan(50 + emittedEarly + 1);
  });
});
