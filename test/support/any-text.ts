// Texts of any characters, for property tests.
import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;

const textAt = (place: number): string => String.fromCodePoint(place < firstSurrogate ? place : place + surrogates);

function placeOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('expected one character');
  return code < firstSurrogate ? code : code - surrogates;
}

/** `unit: 'binary'` of fast-check takes a second in each process, for a table of all characters. */
const character = fc.nat({ max: 0x10ffff - surrogates }).map(textAt, placeOf);

export const anyText = (constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });
