// Arbitrary headers: every cell and every default is mapped once, and faults are issues, never exceptions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ColumnNames, mapHeader } from '#shared/files/map-header.ts';
import { operations } from '#shared/operations/registry.ts';
import { assertUnpolluted } from '../../support/nearly-right.ts';

const known = [...operations.values()].map(({ columns }) => columns as readonly ColumnNames[]);
const names = known.flat().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
const typo = fc
  .constantFrom(...names)
  .chain((name) => fc.nat(name.length).map((at) => name.slice(0, at) + name.slice(at + 1)));
const cell = fc.oneof(
  fc.constantFrom(...names),
  typo,
  fc.constantFrom('__proto__', 'constructor', 'toString', '', ' ', '\u0000', 'x'.repeat(5_000)),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

test('every cell of any header is a known column, an extra column, or a reported duplicate', () => {
  const anyDefaults = fc.array(fc.tuple(cell, fc.string())).map((pairs) => Object.fromEntries(pairs));
  fc.assert(
    fc.property(
      fc.array(cell, { maxLength: 40 }),
      fc.constantFrom(...known),
      anyDefaults,
      (cells, columns, defaults) => {
        const { indexes, extras, issues, defaults: taken } = mapHeader(cells, columns, { line: 3, defaults });
        const places = [...indexes.values(), ...extras.map(({ index }) => index)];
        expect(new Set(places).size).toBe(places.length);
        const tooMany = issues.filter(({ code }) => code === 'HEADER_DUPLICATE_COLUMN').length;
        expect(places.length + tooMany).toBe(cells.length);
        const canonical = columns.map(({ name }) => name);
        for (const name of [...indexes.keys(), ...taken.keys()]) expect(canonical).toContain(name);
        for (const issue of issues) expect(issue.code).toMatch(/^HEADER_/);
        assertUnpolluted();
      },
    ),
    { numRuns: 300 },
  );
});
