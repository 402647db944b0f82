// A declined request that is divided: every row is in exactly one part, and parts have numbers that nobody allocates.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  divideLines,
  excludeRows,
  openRows,
  ownRows,
  partsOf,
  partWithLine,
  unpackLines,
} from '#shared/request/packed-lines.ts';
import { type ExcludedRow, requestKey } from '#shared/request/request.ts';
import { mostParts, numberInPlan, partNumber, partOf } from '#shared/text/identity.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

const row = (line: number): ExcludedRow => ({ line, subject: 's', code: 'ROW_REFUSED', message: 'no' });
const divided = requestItemOf({ request: 7, rowCount: 5, state: 'declined', parts: ['2-3', '5'], attempt: 2 });

test('lines are divided into at most ten parts of nearly equal size', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 2, max: 5_000 }), { minLength: 1, maxLength: 300 }), (some) => {
      const lines = some.sort((one, other) => one - other);
      const parts = divideLines(lines).map(unpackLines);
      expect(parts.flat()).toEqual(lines);
      expect(parts.length).toBe(Math.min(mostParts, lines.length));
      const sizes = parts.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});

test('a part is a planned request with some of the lines and the plan of the divided one', () => {
  const { plan, token, label } = divided;
  const common = { state: 'planned', attempt: 0, revision: 0, plan, token, label };
  expect(partsOf(divided)).toEqual([
    expect.objectContaining({ ...common, request: 10_000_007, part: '2-3', lines: '2-3', rowCount: 2 }),
    expect.objectContaining({ ...common, request: 20_000_007, part: '5', lines: '5', rowCount: 1 }),
  ]);
  expect(partsOf(requestItemOf())).toEqual([]);
  expect([partWithLine(divided, 5), partWithLine(divided, 4)]).toEqual([20_000_007, undefined]);
});

describe('the number of a part', () => {
  const numbers = fc.tuple(
    fc.integer({ min: 1, max: 9_999_998 }),
    fc.array(fc.integer({ min: 1, max: mostParts }), { maxLength: 4 }),
  );
  const numberOf = ([request, places]: readonly [number, readonly number[]]) => places.reduce(partNumber, request);

  test('is 10,000,007 to 100,000,007 for request 7, and 310,000,007 for the first part of its third', () => {
    expect([partNumber(7, 1), partNumber(7, 10), partNumber(partNumber(7, 3), 1)]).toEqual([
      10_000_007, 100_000_007, 310_000_007,
    ]);
  });

  test('names the request of which it is a part, and is that of no other', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: mostParts }), numbers, ([request, places], place, other) => {
        const number = numberOf([request, places]);
        expect(partOf(partNumber(number, place))).toEqual({ request: number, place });
        expect(numberInPlan(number)).toBe(request);
        const isSame = request === other[0] && places.join() === other[1].join();
        expect(numberOf(other) === number).toBe(isSame);
        expect(requestKey('a', numberOf(other)).sk === requestKey('a', number).sk).toBe(isSame);
      }),
    );
    expect(partOf(9_999_999)).toBeUndefined();
  });

  test('follows the divided request, before the next one of the plan', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: mostParts }), ([request, places], place) => {
        const number = numberOf([request, places]);
        const keys = [number, partNumber(number, place), request + 1].map((one) => requestKey('a', one).sk);
        expect([...keys].sort()).toEqual(keys);
      }),
    );
  });
});

test('the rows of a divided request end with its parts, except those that were named', () => {
  const named = excludeRows(divided, [row(4)]);
  expect(excludeRows(named, [row(6)]).excludedRows).toEqual([row(4), row(6)]);
  expect([ownRows(named), ownRows(divided), ownRows(requestItemOf({ rowCount: 5 }))]).toEqual([1, 0, 5]);
  expect(openRows(requestItemOf({ rowCount: 5, excludedRows: [row(4)] }))).toBe(4);
});
