import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Combination, combinationHash, groupName } from '#shared/operations/create-port/create-port.ts';

const combined = (tariff: number, boltOns: number[], services: Combination['services'] = []): Combination => ({
  tariff,
  boltOns,
  services,
});

describe('a combination', () => {
  test('has a fixed hash: ports of older releases have it in their group names', () => {
    expect(combinationHash(combined(101, [201]))).toMatchInlineSnapshot(`"0ykqrfvbrr"`);
  });

  test('has its own hash', () => {
    const others = [combined(2, []), combined(1, [1]), combined(1, [], [{ name: 'a', value: 'b' }])];
    expect(new Set([combined(1, []), ...others].map(combinationHash)).size).toBe(4);
  });

  test('differs from another that a separator could make equal', () => {
    const hash = (name: string, value: string) => combinationHash(combined(1, [], [{ name, value }]));
    expect(hash('a=b', 'c')).not.toBe(hash('a', 'b=c'));
  });
});

describe('a group name', () => {
  const combination = combined(101, [201]);

  test('is the readable prefix and the hash of the combination', () => {
    expect(groupName(combination, 'Tariff 101')).toBe(`Tariff 101 ${combinationHash(combination)}`);
  });

  test('has one space before the hash if the prefix is cut', () => {
    const hash = combinationHash(combination);
    const longest = 255 - hash.length - 2;
    expect(groupName(combination, `${'x'.repeat(longest)} and more`)).toBe(`${'x'.repeat(longest)} ${hash}`);
  });

  test('is only the hash if there is no readable prefix', () => {
    expect(groupName(combination, ' \n ')).toBe(combinationHash(combination));
  });

  test('has at most 255 characters, ends in the hash and cuts no character in half', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(3), (prefix, repeats) => {
        const name = groupName(combination, prefix + '😀'.repeat(repeats * 100));
        expect(name.length).toBeLessThanOrEqual(255);
        expect(name.endsWith(combinationHash(combination))).toBe(true);
        expect(name.isWellFormed()).toBe(true);
      }),
    );
  });
});
