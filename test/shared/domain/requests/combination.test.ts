import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalCombination,
  combinationHash,
  combinationText,
  groupName,
} from '#shared/domain/requests/combination.ts';

const canonical = (...parts: Parameters<typeof canonicalCombination>) => {
  const combination = canonicalCombination(...parts);
  if (!combination.ok) throw new Error(combination.finding.message);
  return combination.value;
};

describe('a combination', () => {
  test('is the same whatever the order and repetition of its parts', () => {
    const services = [
      { name: 'Roaming', value: 'true' },
      { name: 'Premium', value: 'false' },
      { name: 'Roaming', value: 'true' },
    ];
    const one = canonical(101, [202, 201, 202], services);
    const other = canonical(101, [201, 202], services.slice(0, 2).reverse());
    expect(one).toEqual(other);
    expect(one.boltOns).toEqual([201, 202]);
    expect(one.services.map(({ name }) => name)).toEqual(['Premium', 'Roaming']);
  });

  test('has a fixed hash: ports of older releases have it in their group names', () => {
    expect(combinationHash(canonical(101, [201], []))).toMatchInlineSnapshot(`"0ykqrfvbrr"`);
  });

  test('has its own hash', () => {
    const others = [canonical(2, [], []), canonical(1, [1], []), canonical(1, [], [{ name: 'a', value: 'b' }])];
    expect(new Set([canonical(1, [], []), ...others].map(combinationHash)).size).toBe(4);
  });

  test('is the same for absent, null and empty lists', () => {
    expect(canonical(1, null, undefined)).toEqual(canonical(1, [], []));
  });

  test('rejects a service with two values', () => {
    const services = [
      { name: 'Roaming', value: 'true' },
      { name: 'Roaming', value: 'false' },
    ];
    expect(canonicalCombination(1, [], services)).toMatchObject({
      ok: false,
      finding: { code: 'SERVICE_CONTRADICTION' },
    });
  });

  test('differs from another that a separator could make equal', () => {
    const text = (name: string, value: string) => combinationText(canonical(1, [], [{ name, value }]));
    expect(text('a=b', 'c')).not.toBe(text('a', 'b=c'));
  });

  test('bolt-ons sort as numbers', () => {
    expect(canonical(1, [100, 20, 3], []).boltOns).toEqual([3, 20, 100]);
  });

  test('does not change its arguments', () => {
    const boltOns = Object.freeze([2, 1]);
    expect(canonical(1, boltOns, []).boltOns).toEqual([1, 2]);
  });
});

describe('a group name', () => {
  const combination = canonical(101, [201], []);

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
