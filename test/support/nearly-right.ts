// JSON that nobody meant to send: arbitrary, or right but for one place.
import fc from 'fast-check';

/** Keys that end badly where an object is built from them carelessly. */
const treacherousKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'result', 'data', ''];

/** Values that pass as the right kind and are out of all bounds. */
const extremes: readonly unknown[] = [
  null,
  '',
  ' ',
  '\u0000',
  '😀'.slice(0, 1),
  '2026-02-30T00:00:00',
  '0000-00-00T',
  '9999-12-31T23:59:59.999Z',
  -1,
  0,
  0.5,
  2_147_483_647,
  Number.MAX_SAFE_INTEGER,
  1e300,
  [],
  {},
  [null],
  'x'.repeat(5_000),
];

/** Any JSON text, as `JSON.parse` gives it: keys like `__proto__` are then an object's own. */
export const anyJson: fc.Arbitrary<unknown> = fc
  .object({
    key: fc.oneof(fc.constantFrom(...treacherousKeys), fc.string({ maxLength: 8 })),
    values: [fc.constantFrom(...extremes), fc.string({ maxLength: 8 }), fc.integer(), fc.double(), fc.boolean()],
    maxDepth: 3,
    withNullPrototype: false,
  })
  .chain((object) => fc.constantFrom(object, [object], Object.values(object)[0]))
  .map((value) => throughJson(value));

/** `right` with something else in one place, or with a place missing, or with one key too many. */
export const nearlyRight = (right: unknown): fc.Arbitrary<unknown> => {
  const places = placesIn(right);
  const change = fc.oneof(fc.constantFrom(...extremes), anyJson, fc.constant(undefined));
  return fc
    .tuple(fc.constantFrom(...places), change, fc.option(fc.constantFrom(...treacherousKeys)))
    .map(([place, value, extra]) => throughJson(changed(right, extra == null ? place : [...place, extra], value)));
};

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  const inside = Object.entries(value).flatMap(([key, part]) => placesIn(part, [...place, key]));
  return [place, ...inside];
}

function changed(value: unknown, [key, ...rest]: Place, change: unknown): unknown {
  if (key === undefined) return change;
  if (Array.isArray(value))
    return value.map((part, index) => (String(index) === key ? changed(part, rest, change) : part));
  if (typeof value !== 'object' || value === null) return change;
  const entries = new Map(Object.entries(value));
  entries.set(String(key), changed(entries.get(String(key)), rest, change));
  return Object.fromEntries(entries);
}

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

/** Fails when something was added to what every object inherits. */
export function assertUnpolluted(): void {
  const added = Object.keys(Object.prototype);
  if (added.length > 0 || 'polluted' in {}) throw new Error(`every object has ${added.join(', ')} now`);
}
