import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closest, didYouMean, editDistance } from '#shared/domain/did-you-mean.ts';

describe('edit distance', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['ABC', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['botlOns', 'boltOns', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('%j and %j: %d', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
    expect(editDistance(other, one)).toBe(distance);
  });

  test('is zero for equal texts only, and stops at its limit', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, fc.nat(8), (one, other, limit) => {
        const distance = editDistance(one, other);
        expect(distance === 0).toBe(one === other);
        expect(editDistance(one, other, limit)).toBe(Math.min(distance, limit + 1));
      }),
    );
  });
});

describe('suggestions', () => {
  const networks = ['UK Mobile A', 'UK Mobile B', 'IoT Europe B', 'Orange France'];

  test('are the nearest names, nearest first', () => {
    expect(closest('UK Moble A', networks)).toEqual(['UK Mobile A', 'UK Mobile B']);
    expect(closest('uk mobile a', networks)[0]).toBe('UK Mobile A');
  });

  test('are none where nothing is near', () => {
    expect(closest('Vodafone', networks)).toEqual([]);
    expect(didYouMean('Vodafone', networks)).toBe('');
  });

  test('end a sentence', () => {
    expect(didYouMean('Iot Europ B', networks)).toBe(': did you mean "IoT Europe B"?');
  });
});
