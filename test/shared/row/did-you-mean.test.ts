import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkCharacters,
  checkLine,
  closest,
  describeCharacter,
  didYouMean,
  editDistance,
} from '#shared/row/did-you-mean.ts';

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

  test('is zero only for equal texts, and stops at its limit', () => {
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

/** The distance by its definition: the cheapest way to remove the last letters of both texts. */
function slips(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [oneLess, otherLess] = [one.slice(0, -1), other.slice(0, -1)];
  const ways = [
    slips(oneLess, other) + 1,
    slips(one, otherLess) + 1,
    slips(oneLess, otherLess) + (one.at(-1) === other.at(-1) ? 0 : 1),
  ];
  const isSwap = one.length > 1 && other.length > 1 && one.at(-1) === other.at(-2) && one.at(-2) === other.at(-1);
  return Math.min(...ways, isSwap ? slips(one.slice(0, -2), other.slice(0, -2)) + 1 : Number.POSITIVE_INFINITY);
}

test('the distance is the smallest one', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(editDistance(one, other)).toBe(slips(one, other));
    }),
  );
});

describe('suggestions', () => {
  const networks = ['UK Mobile A', 'UK Mobile B', 'IoT Europe B', 'Orange France'];

  test('are the most similar names, the most similar first', () => {
    expect(closest('UK Moble A', networks)).toEqual(['UK Mobile A', 'UK Mobile B']);
    expect(closest('uk mobile a', networks)[0]).toBe('UK Mobile A');
  });

  test('are empty if nothing is similar', () => {
    expect(closest('Vodafone', networks)).toEqual([]);
    expect(didYouMean('Vodafone', networks)).toBe('');
  });

  test('end a sentence', () => {
    expect(didYouMean('Iot Europ B', networks)).toBe(': did you mean "IoT Europe B"?');
  });

  test('are at most three, the most similar first', () => {
    const candidates = ['abcdefghi..', 'abcdefg...', 'abcdefgh.', 'abcdefgh', 'abcdefghi'];
    expect(closest(' abcdefghi ', candidates)).toEqual(['abcdefghi', 'abcdefgh.', 'abcdefgh']);
    expect(didYouMean('abcdefghi', ['abcdefgh', 'abcdefghij'])).toBe(': did you mean "abcdefgh" or "abcdefghij"?');
  });

  test('may differ in a third of the letters, and never in all of them', () => {
    expect(closest('abcdef', ['abcdxy', 'abcxyz'])).toEqual(['abcdxy']);
    expect(closest('x', ['y', 'xy'])).toEqual(['xy']);
  });
});

describe('a text that looks like a name', () => {
  test.each([
    ['UK\u00A0Mobile A', 'Character 3 is U+00A0 (no-break space)'],
    ['UK Mob\u200Bile A', 'Character 7 is U+200B (zero-width space)'],
    ['UK Mobile \u0410', 'Character 11 is "\u0410" (U+0410)'],
  ])('%j is distinguished by its character', (text, reason) => {
    expect(didYouMean(text, ['UK Mobile A', 'UK Mobile B'])).toBe(`. ${reason}. Type "UK Mobile A" again`);
  });

  test.each([
    'UK M\u00F6bile A',
    'UK Mobil A',
    'UK Mobile\u00A0Q',
    'UK\u00A0Mobile',
    'UK\u00F6Mobile A',
    'UK Mob\u00A0le A',
    'UK Mobile A\u0410',
  ])('%j looks different', (text) => {
    expect(didYouMean(text, ['UK Mobile A'])).toBe(': did you mean "UK Mobile A"?');
  });

  test('has no other character if it is the name', () => {
    expect(didYouMean('UK Mobile A', ['UK Mobile A'])).toBe(': did you mean "UK Mobile A"?');
  });

  test('no suggestion shows the text itself', () => {
    const space = fc.constantFrom(' ', '\u00A0', '\u2009', '\u200B ', '\u3000');
    fc.assert(
      fc.property(space, space, (one, other) => {
        const text = `UK${one}Mobile${other}A`;
        const look = text.replaceAll('\u200B', '').replaceAll(/\s/g, ' ');
        const suggestion = didYouMean(text, ['UK Mobile A']);
        if (text !== look) expect(suggestion).not.toContain(`did you mean "${look}"`);
      }),
    );
  });
});

describe('characters of a cell', () => {
  test.each(['plain text', 'Zoë 😀', 'two\nlines', 'a\ttab', '', '日本', '👩‍🚀 👨‍👩‍👧 🏳️‍🌈', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 Leeds'])(
    '%j is valid',
    (text) => {
      expect(checkCharacters(text)).toBeUndefined();
    },
  );

  test.each([
    ['a\u0000b', 'Character 2 is U+0000 (NUL). Remove it'],
    ['😀\u200B', 'Character 2 is U+200B (zero-width space). Remove it'],
    ['a\u200Db', 'Character 2 is U+200D (zero-width joiner). Remove it'],
    ['😀\u200D', 'Character 2 is U+200D (zero-width joiner). Remove it'],
    ['👨‍👩‍👧\u200B', 'Character 6 is U+200B (zero-width space). Remove it'],
    ['\uFEFFa', 'Character 1 is U+FEFF (byte order mark). Remove it'],
    ['a\u0007', 'Character 2 is U+0007 (not visible). Remove it'],
  ])('the error of %j names the character and its place', (text, message) => {
    expect(checkCharacters(text)).toEqual({ code: 'CELL_CONTROL_CHARACTER', message, severity: 'error' });
  });

  test.each(['two\nlines', 'a\ttab', 'a\u2028b', 'a\u200Bb'])('%j is not a text of one line', (text) => {
    expect(checkLine(text)).toMatchObject({ code: 'CELL_CONTROL_CHARACTER', severity: 'error' });
  });

  test.each(['Field team', 'Zoë 😀', '日本', ''])('%j is a text of one line', (text) => {
    expect(checkLine(text)).toBeUndefined();
  });

  test.each([
    ['O', '"O" (U+004F)'],
    ['٣', 'U+0663 (Arabic-Indic digit 3)'],
    ['７', 'U+FF17 (full-width digit 7)'],
    ['\u2003', 'U+2003 (not visible)'],
    ['٠', 'U+0660 (Arabic-Indic digit 0)'],
    ['٩', 'U+0669 (Arabic-Indic digit 9)'],
    ['٪', '"٪" (U+066A)'],
    ['۱', 'U+06F1 (Persian digit 1)'],
    ['१', 'U+0967 (Devanagari digit 1)'],
  ])('%j is described as %s', (character, description) => {
    expect(describeCharacter(character)).toBe(description);
  });

  test('every character that comes with pasted text has a name', () => {
    const invisible =
      '\t\n\r\u00A0\u00AD\u200B\u200C\u200D\u200E\u200F\u202A\u202C\u202D\u202E\u2060\u2066\u2069\uFEFF';
    expect([...invisible].map((character) => describeCharacter(character).replace(/^U\+/, ''))).toEqual([
      '0009 (tab)',
      '000A (line break)',
      '000D (carriage return)',
      '00A0 (no-break space)',
      '00AD (soft hyphen)',
      '200B (zero-width space)',
      '200C (zero-width non-joiner)',
      '200D (zero-width joiner)',
      '200E (left-to-right mark)',
      '200F (right-to-left mark)',
      '202A (left-to-right embedding)',
      '202C (end of directional formatting)',
      '202D (left-to-right override)',
      '202E (right-to-left override)',
      '2060 (word joiner)',
      '2066 (left-to-right isolate)',
      '2069 (end of directional isolate)',
      'FEFF (byte order mark)',
    ]);
  });
});
