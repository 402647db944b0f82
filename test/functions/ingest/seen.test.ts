// The packed memory of keys, against a Map.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createImportMemory } from '#functions/ingest/import-memory.ts';
import { createSeen } from '#functions/ingest/seen.ts';

const word = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));

describe('seen keys', () => {
  test('answer as a Map would, also while the table grows', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 300 }), (keys) => {
        const seen = createSeen(4);
        const model = new Map<string, number>();
        for (const [index, [high, low]] of keys.entries()) {
          const key = `${high}/${low}`;
          expect(seen.firstOf(high, low, index + 1)).toBe(model.get(key) ?? 0);
          if (!model.has(key)) model.set(key, index + 1);
        }
        expect(seen.size).toBe(model.size);
      }),
    );
  });

  test('hold 300,000 neighbouring numbers without slowing down', () => {
    const seen = createSeen();
    for (let index = 0; index < 300_000; index += 1) seen.firstOf(447, 700_000_000 + index, index + 1);
    for (let index = 0; index < 300_000; index += 7) expect(seen.firstOf(447, 700_000_000 + index, 1)).toBe(index + 1);
    expect(seen.size).toBe(300_000);
  });
});

describe('the memory of an import', () => {
  const digits = (length: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));

  test('tells any two numbers or SIMs apart, whatever their length', () => {
    const subject = fc.oneof(
      digits(12).map((rest) => `44${rest.slice(2)}`),
      digits(17).map((rest) => `89${rest}`),
      digits(18).map((rest) => `89${rest}`),
    );
    fc.assert(
      fc.property(fc.array(subject, { maxLength: 50 }), (subjects) => {
        let line = 0;
        const memory = createImportMemory(() => line);
        const model = new Map<string, number>();
        for (const text of subjects) {
          line += 1;
          expect(memory.earlierLine('serialNo', text)).toBe(model.get(text));
          if (!model.has(text)) model.set(text, line);
        }
      }),
    );
  });

  test('keeps columns apart', () => {
    let line = 2;
    const memory = createImportMemory(() => line);
    expect(memory.earlierLine('msisdn', '447700900123')).toBeUndefined();
    expect(memory.earlierLine('serialNo', '447700900123')).toBeUndefined();
    line = 3;
    expect(memory.earlierLine('msisdn', '447700900123')).toBe(2);
  });

  test('does not take a number for its own repetition, however often it is asked on one line', () => {
    const memory = createImportMemory(() => 2);
    expect(memory.earlierLine('msisdn', '447700900123')).toBeUndefined();
    expect(memory.earlierLine('msisdn', '447700900123')).toBeUndefined();
  });

  test('lets a name stand for one meaning', () => {
    const memory = createImportMemory(() => 2);
    expect([memory.standsFor('a', 'x'), memory.standsFor('a', 'x'), memory.standsFor('a', 'y')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
