// The duplicate index compared with a Map, and the uniqueness checks that use it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DuplicateIndex, ImportUniqueness } from '#functions/ingest/validate/duplicate-index.ts';

const word = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));

describe('the duplicate index', () => {
  test('returns what a Map would, also while its tables grow', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 300 }), (keys) => {
        const index = new DuplicateIndex(4);
        const model = new Map<string, number>();
        for (const [place, [high, low]] of keys.entries()) {
          const key = `${high}/${low}`;
          expect(index.addOrGet(high, low, place + 1)).toBe(model.get(key) ?? 0);
          if (!model.has(key)) model.set(key, place + 1);
        }
        expect(index.size).toBe(model.size);
      }),
    );
  });

  test('forgets removed keys, also while its tables grow', () => {
    const step = fc.tuple(fc.constantFrom('add', 'add', 'remove'), fc.integer({ min: 0, max: 60 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const index = new DuplicateIndex(2);
        const model = new Map<number, number>();
        for (const [place, [what, low]] of steps.entries()) {
          expect(index.get(447, low)).toBe(model.get(low) ?? 0);
          if (what === 'remove') {
            index.remove(447, low);
            model.delete(low);
          } else {
            expect(index.addOrGet(447, low, place + 1)).toBe(model.get(low) ?? 0);
            if (!model.has(low)) model.set(low, place + 1);
          }
        }
      }),
    );
  });

  test('holds 300,000 consecutive numbers', () => {
    const index = new DuplicateIndex();
    for (let at = 0; at < 300_000; at += 1) index.addOrGet(447, 700_000_000 + at, at + 1);
    for (let at = 0; at < 300_000; at += 7) expect(index.addOrGet(447, 700_000_000 + at, 1)).toBe(at + 1);
    expect(index.size).toBe(300_000);
  });
});

describe('uniqueness checks', () => {
  const digits = (length: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));

  test('distinguish any two numbers or SIMs of any length', () => {
    const subject = fc.oneof(
      digits(12).map((rest) => `44${rest.slice(2)}`),
      digits(17).map((rest) => `89${rest}`),
      digits(18).map((rest) => `89${rest}`),
    );
    fc.assert(
      fc.property(fc.array(subject, { maxLength: 50 }), (subjects) => {
        let line = 0;
        const checks = new ImportUniqueness(() => line);
        const model = new Map<string, number>();
        for (const text of subjects) {
          line += 1;
          expect(checks.earlierLine('serialNo', text)).toBe(model.get(text));
          if (!model.has(text)) model.set(text, line);
        }
      }),
    );
  });

  test('are separate for each column', () => {
    let line = 2;
    const checks = new ImportUniqueness(() => line);
    expect(checks.earlierLine('msisdn', '447700900123')).toBeUndefined();
    expect(checks.earlierLine('serialNo', '447700900123')).toBeUndefined();
    line = 3;
    expect(checks.earlierLine('msisdn', '447700900123')).toBe(2);
  });

  test('do not report a number as a duplicate of itself on the same line', () => {
    const checks = new ImportUniqueness(() => 2);
    expect(checks.earlierLine('msisdn', '447700900123')).toBeUndefined();
    expect(checks.earlierLine('msisdn', '447700900123')).toBeUndefined();
  });

  test('free the numbers of an invalid row, and only its own', () => {
    let line = 2;
    const checks = new ImportUniqueness(() => line);
    checks.earlierLine('msisdn', '447700900123');
    checks.endRow('valid');
    line = 3;
    expect(checks.earlierLine('msisdn', '447700900123')).toBe(2);
    expect(checks.earlierLine('serialNo', '8944110068123456787')).toBeUndefined();
    checks.endRow('invalid');
    line = 4;
    expect(checks.earlierLine('msisdn', '447700900123')).toBe(2);
    expect(checks.earlierLine('serialNo', '8944110068123456787')).toBeUndefined();
  });

  test('forget the meaning that an invalid row gave a name', () => {
    const checks = new ImportUniqueness(() => 2);
    expect(checks.hasOneMeaning('a', 'x')).toBe(true);
    checks.endRow('invalid');
    expect(checks.hasOneMeaning('a', 'y')).toBe(true);
    checks.endRow('valid');
    expect([checks.hasOneMeaning('a', 'x'), checks.hasOneMeaning('a', 'y')]).toEqual([false, true]);
  });

  test('accept one meaning per name', () => {
    const checks = new ImportUniqueness(() => 2);
    expect([checks.hasOneMeaning('a', 'x'), checks.hasOneMeaning('a', 'x'), checks.hasOneMeaning('a', 'y')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
